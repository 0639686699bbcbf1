package dev.baton.internal.ordered;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * When the session was last proved, and which tickets need no request to the server. A ticket is present while its
 * session lives, and a watch reports its turn. More frequent requests would only shorten the delay after a lost event.
 * Thread-safe.
 */
final class Proofs {
    /** 5 s: a fifth of a request per second for each waiting client, and the longest delay after a lost event. */
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

    /** Records that the server answered a command that proves the session and was called at this time. */
    void proved(long calledMicros) {
        provedMicros.accumulateAndGet(calledMicros, Math::max);
    }

    /** Records that a heartbeat was answered without a request. */
    void answeredQuietly() {
        quietMicros.accumulateAndGet(clock.getAsLong(), Math::max);
    }

    /** On a clock that stands still no proof ever grows old, so every heartbeat reads the server. */
    boolean looksAlways() {
        return isTimeMovedByHand;
    }

    /** Whether a ticket hears of changes, and was proved a short while ago. */
    boolean isQuiet(Attempt own) {
        return !isTimeMovedByHand
                && own.isWaitingSince(clock.getAsLong() - intervalMicros())
                && own.isOfSession(server.session());
    }

    /** A quarter of the trust remains for a hand-over that an event reports. */
    private long intervalMicros() {
        return Math.min(INTERVAL_MICROS, trustMicros() / 4 * 3);
    }

    private long trustMicros() {
        return server.trust().toNanos() / 1_000;
    }

    /**
     * Returns until when the client may believe in a grant that an event reported. The client counts from the last
     * answer; if that was given without a request, from the last proof.
     */
    long believable(long untilMicros) {
        long proved = provedMicros.get();
        return quietMicros.get() > proved ? Math.min(untilMicros, proved + trustMicros()) : untilMicros;
    }
}
