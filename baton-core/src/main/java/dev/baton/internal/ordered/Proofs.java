package dev.baton.internal.ordered;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * When the session was proved last, and what a ticket may be told without asking the server. The session is a ticket's
 * presence, and a watch tells when its turn comes: nothing is learnt by asking more often than a lost event may cost.
 * Thread-safe.
 */
final class Proofs {
    /** 5 s: a fifth of a request per second for each client that waits, and the most that a lost event costs. */
    private static final long INTERVAL_MICROS = 5_000_000;

    private final OrderedServer server;
    private final LongSupplier clock;
    private final boolean isTimeMovedByHand;
    private final AtomicLong provedMicros = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong quietMicros = new AtomicLong(Long.MIN_VALUE);

    Proofs(OrderedServer server, LongSupplier clock, boolean isTimeMovedByHand) {
        this.server = server;
        this.clock = clock;
        this.isTimeMovedByHand = isTimeMovedByHand;
    }

    /** The server answered a command that proves the session and was called then. */
    void proved(long calledMicros) {
        provedMicros.accumulateAndGet(calledMicros, Math::max);
    }

    /** A heartbeat was answered without asking. */
    void answeredQuietly() {
        quietMicros.accumulateAndGet(clock.getAsLong(), Math::max);
    }

    /** On a clock that stands still nothing is ever old: everything is looked at. */
    boolean looksAlways() {
        return isTimeMovedByHand;
    }

    /** Whether a ticket hears of what it waits for, and was proved to stand a short while ago. */
    boolean isQuiet(Attempt own) {
        return !isTimeMovedByHand
                && own.isWaitingSince(clock.getAsLong() - intervalMicros())
                && own.isOfSession(server.session());
    }

    /** A quarter of the trust is left for the hand-over that an event brings. */
    private long intervalMicros() {
        return Math.min(INTERVAL_MICROS, trustMicros() / 4 * 3);
    }

    private long trustMicros() {
        return server.trust().toNanos() / 1_000;
    }

    /**
     * Until when a grant that an event brought may be believed in. The client counts from the last answer that it was
     * given: if that was one without asking, from the last proof.
     */
    long believable(long untilMicros) {
        long proved = provedMicros.get();
        return quietMicros.get() > proved ? Math.min(untilMicros, proved + trustMicros()) : untilMicros;
    }
}
