package dev.baton.internal.engine;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The engine's fixed settings.
 *
 * @param clientId identity of the client
 * @param timings the namespace's times
 * @param store the store's present capabilities: if it pushes grants, tickets need a heartbeat a second, otherwise they
 *     are polled; if holds belong to a session, they must be confirmed within its time
 * @param shards which of the store's servers has a name
 * @param storeTimeoutNanos how long an untimed call retries at a broken store
 * @param silenceNanos how long one command may take
 * @param maxLocalWaiters bound of the local queue
 */
public record EngineSettings(
        String clientId,
        Timings timings,
        Supplier<Capabilities> store,
        ToIntFunction<String> shards,
        long storeTimeoutNanos,
        long silenceNanos,
        int maxLocalWaiters) {

    /** Longer than any process lives, and small enough to be added to any time. */
    static final long FAR_NANOS = Long.MAX_VALUE / 4;

    /** Local hand-offs in a row before another client gets its turn, unless no other client waits. */
    static final int MAX_PASSES = 64;

    /**
     * 50 ms: how long local hand-offs may go on before another client gets its turn, and how long the store's answer
     * that no other client waits stays valid.
     */
    static final long SLICE_NANOS = 50_000_000;

    /**
     * After this time the store is told who has a hold, or waits with a ticket, if another caller had it before: whoever
     * asks who waits for whom sees no older state. Holds that pass on faster cost no heartbeat.
     */
    static final long DESCRIBE_NANOS = 500_000_000;

    /** 1 s between heartbeats of tickets if grants are pushed; also the latest time to claim a hand-off. */
    static final long TICKET_BEAT_NANOS = 1_000_000_000;

    /** 1 ms: the first poll interval of a ticket if grants are not pushed, and of a store without a queue. */
    static final long POLL_MIN_NANOS = 1_000_000;

    /** 50 ms: the poll interval after a long wait. */
    static final long POLL_MAX_NANOS = 50_000_000;

    /** For every 16 places in the queue a ticket's heartbeats are one period further apart: they only show presence. */
    static final int PLACES_PER_PERIOD = 16;

    /** 5 ms for each place in the queue: a ticket is not granted before those ahead of it have had their turn. */
    static final long POLL_PER_PLACE_NANOS = 5_000_000;

    /** 500 ms: the longest delay of a grant that is not pushed, even if all tickets ahead of it give up at once. */
    static final long POLL_DEEP_NANOS = 500_000_000;

    /** 2 s: forty of the slowest polls. A client that was not seen for so long is gone. */
    static final long CONTENTION_NANOS = 2_000_000_000;

    /** A ticket's next poll comes after a thirty-second of the time waited so far, so polling adds little to any wait. */
    static final long POLL_SHARE = 32;

    /**
     * In a store without a queue the next try comes after an eighth of the time waited so far. There all who wait try, and
     * not only the first, so the server is asked many times for each turn, and on a quorum every member is. With a
     * thirty-second, 16 clients on a quorum kept the processors so busy that they had half as many turns.
     */
    static final long TRY_SHARE = 8;

    /** Renewal after a third of the lease: two may fail before the third is too late. */
    static final long RENEW_SHARE = 3;

    /** Entries in one heartbeat: large enough for more than 100 holds per call, small enough not to stall a store. */
    static final int BEAT_BATCH = 250;

    /** 50 ms, doubled up to a second: pauses between attempts at a broken store. */
    static final long RETRY_MIN_NANOS = 50_000_000;

    static final long RETRY_MAX_NANOS = 1_000_000_000;

    /** The pause before a ticket's next poll, if no push comes: it grows with the time waited. */
    static long pollNanos(long waitedNanos) {
        return share(waitedNanos, POLL_SHARE);
    }

    /** The pause before the next try in a store without a queue. */
    static long tryNanos(long waitedNanos) {
        return share(waitedNanos, TRY_SHARE);
    }

    private static long share(long waitedNanos, long share) {
        return Math.max(POLL_MIN_NANOS, Math.min(POLL_MAX_NANOS, waitedNanos / share));
    }

    /**
     * 1 s: a thread that has waited so long for its own lease will wait for ever, unless another thread releases it.
     */
    static final long SELF_WAIT_NANOS = 1_000_000_000;

    int shardOf(String name) {
        return shards.applyAsInt(name);
    }

    /** The store's display name. */
    String storeName() {
        return store.get().store();
    }

    /** Whether the store pushes grants now. */
    boolean pushed() {
        return store.get().push();
    }

    /** Whether the store knows which clients wait: a client that is alone may then keep a lock for its own callers. */
    boolean hasQueue() {
        return store.get().queue();
    }

    /** Whether a hand-off counts only when a heartbeat for its hold was answered. */
    boolean confirmsHandOffs() {
        return store.get().confirmsHandOffs();
    }

    /** Whether the store may forget what it has acknowledged, and takes it back. */
    boolean reclaims() {
        return store.get().reclaim();
    }

    /** Whether a hold ends with the session of its client. */
    boolean hasSessions() {
        return store.get().session() != null;
    }

    /** Whether store tokens follow the store's clock. */
    boolean hasHybridTokens() {
        return store.get().tokens() == Capabilities.TokenOrder.HYBRID;
    }

    /**
     * How long a client may believe in a hold without an answer: G, or the time that its session is certain to live if
     * that is shorter.
     */
    long trustNanos() {
        long grace = timings.graceMicros() * 1_000;
        Duration session = store.get().session();
        return session == null ? grace : Math.min(grace, session.toNanos());
    }

    /** How long the entries of a silent client may stay at most: twice as long as they certainly do; 0 without sessions. */
    long longestSessionNanos() {
        Duration session = store.get().session();
        return session == null ? 0 : 2 * session.toNanos();
    }

    long claimNanos() {
        return timings.claimMicros() * 1_000;
    }

    long presenceNanos() {
        return timings.presenceMicros() * 1_000;
    }
}
