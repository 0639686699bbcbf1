package dev.baton.internal.engine;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What the engine is told once.
 *
 * @param clientId identity of the client
 * @param timings the namespace's times
 * @param store what the store can do now: where it pushes grants, tickets need a heartbeat a second, and otherwise are
 *     polled; where holds belong to a session, it is what they must be confirmed within
 * @param storeTimeoutNanos how long an untimed call keeps asking a broken store
 * @param silenceNanos how long one command may take
 * @param maxLocalWaiters bound of the local queue
 */
public record EngineSettings(
        String clientId,
        Timings timings,
        Supplier<Capabilities> store,
        long storeTimeoutNanos,
        long silenceNanos,
        int maxLocalWaiters) {

    /** Local hand-offs in a row, before another client gets its turn, unless nobody waits elsewhere. */
    static final int MAX_PASSES = 64;

    /**
     * 50 ms: as long as local hand-offs may go on, before another client gets its turn; and as long as the store's word
     * counts that nobody waits elsewhere.
     */
    static final long SLICE_NANOS = 50_000_000;

    /** 1 s between heartbeats of tickets where grants are pushed; also how soon a hand-off is claimed at the latest. */
    static final long TICKET_BEAT_NANOS = 1_000_000_000;

    /** 1 ms: the first polls of a ticket where grants are not pushed, and of a store that has no queue. */
    static final long POLL_MIN_NANOS = 1_000_000;

    /** 50 ms: the polls of who waits for long. */
    static final long POLL_MAX_NANOS = 50_000_000;

    /** 16 places further back a ticket's heartbeats are one period further apart: it only has to show presence. */
    static final int PLACES_PER_PERIOD = 16;

    /** 5 ms for each place in the queue: a ticket is not granted before those ahead of it have had their turn. */
    static final long POLL_PER_PLACE_NANOS = 5_000_000;

    /** 500 ms: a grant that nobody pushes is not left lying for longer, though all ahead of it give up at once. */
    static final long POLL_DEEP_NANOS = 500_000_000;

    /** 2 s: forty of the slowest polls. Where another client had none of them answered, it has gone. */
    static final long CONTENTION_NANOS = 2_000_000_000;

    /** A poll comes after a thirty-second of the time waited: asking adds little to any wait. */
    static final long POLL_SHARE = 32;

    /** Renewal after a third of the lease: two may fail before the third is too late. */
    static final long RENEW_SHARE = 3;

    /** Entries in one heartbeat: large enough for 1 call per 100 holds and more, small enough not to stall a store. */
    static final int BEAT_BATCH = 250;

    /** 50 ms, doubled up to a second: pauses between attempts at a broken store. */
    static final long RETRY_MIN_NANOS = 50_000_000;

    static final long RETRY_MAX_NANOS = 1_000_000_000;

    /** How long after an answer to ask again, where nothing tells: the longer one has waited, the longer. */
    static long pollNanos(long waitedNanos) {
        return Math.max(POLL_MIN_NANOS, Math.min(POLL_MAX_NANOS, waitedNanos / POLL_SHARE));
    }

    /** 1 s: a thread that waits so long for a lease that it took itself will wait for ever, unless another releases it. */
    static final long SELF_WAIT_NANOS = 1_000_000_000;

    /** Whether the store pushes grants now. */
    boolean pushed() {
        return store.get().push();
    }

    /** Whether the store knows who waits: a client that is alone may then keep a lock for its own callers. */
    boolean hasQueue() {
        return store.get().queue();
    }

    /** Whether a hold ends with the session of its client. */
    boolean hasSessions() {
        return store.get().session() != null;
    }

    /** Whether store tokens follow the store's clock. */
    boolean hasHybridTokens() {
        return store.get().tokens() == Capabilities.TokenOrder.HYBRID;
    }

    /** How long a hold may be believed in without an answer: G, or as long as its session is certain to live. */
    long trustNanos() {
        long grace = timings.graceMicros() * 1_000;
        Duration session = store.get().session();
        return session == null ? grace : Math.min(grace, session.toNanos());
    }

    long claimNanos() {
        return timings.claimMicros() * 1_000;
    }

    long presenceNanos() {
        return timings.presenceMicros() * 1_000;
    }
}
