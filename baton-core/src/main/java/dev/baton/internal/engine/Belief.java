package dev.baton.internal.engine;

import dev.baton.spi.Stamp;

/**
 * The time until which a client may believe in a hold, on both of its clocks. Immutable.
 *
 * <p>The rule, which a model checker has verified: let {@code t} be the client's clock when it <em>sent</em> the last
 * request that this server process answered, {@code T} that server's clock in the answer and {@code E} the hold's
 * deadline. Belief ends at {@code t + (E - T)(1 - drift) - margin}, and at the latest at {@code t} plus G, or plus the
 * time for which the client's session is certain to live if that is shorter. With the arrival of the answer instead of
 * {@code t}, a late answer would make two clients believe.
 *
 * @param untilNanos end on the monotonic clock
 * @param untilWallMillis end on the wall clock: if it comes first, the machine slept or the clock was set, and the hold
 *     is confirmed before it is believed again
 * @param storeEndNanos when the store's deadline passes, without the cap by G or session: the basis for planning
 *     renewals
 * @param sentNanos {@code t}
 */
record Belief(long untilNanos, long untilWallMillis, long storeEndNanos, long sentNanos) {
    /** Clock rates of client and server may differ by this much: 1 %. */
    private static final long DRIFT_DIVISOR = 100;

    /** For clocks that count in milliseconds, and for the time between reading a clock and acting on it. */
    private static final long MARGIN_NANOS = 5_000_000;

    /**
     * Rounding to milliseconds must not make the wall clock end belief before the monotonic clock does; within the
     * margin.
     */
    private static final long WALL_GRAIN_MILLIS = 2;

    static Belief of(Sync sync, long deadlineMicros, long trustNanos) {
        long storeNanos = Math.max(0, deadlineMicros - sync.stamp().nowMicros()) * 1_000;
        long life = shorten(Math.min(storeNanos, trustNanos));
        return new Belief(
                sync.sentNanos() + life,
                sync.sentWallMillis() + life / 1_000_000 + WALL_GRAIN_MILLIS,
                sync.sentNanos() + shorten(storeNanos),
                sync.sentNanos());
    }

    boolean holdsAt(long nanos, long wallMillis) {
        return nanos - untilNanos < 0 && wallMillis < untilWallMillis;
    }

    boolean isOver(long nanos) {
        return nanos - untilNanos >= 0;
    }

    /** The smaller rest of both clocks; after a sleep of the machine it is that of the wall clock. */
    long remainingNanos(long nanos, long wallMillis) {
        return Math.max(0, Math.min(untilNanos - nanos, (untilWallMillis - wallMillis) * 1_000_000));
    }

    /** The answer to the later request is newer: it includes later renewals, and changes of the server's clock. */
    Belief orNewer(Belief other) {
        return other.sentNanos - sentNanos >= 0 ? other : this;
    }

    private static long shorten(long nanos) {
        return Math.max(0, nanos - nanos / DRIFT_DIVISOR - MARGIN_NANOS);
    }

    /**
     * Two matching times: when a request was sent, and the server's clock in its answer.
     *
     * @param sentNanos the client's monotonic clock when it sent
     * @param sentWallMillis the client's wall clock when it sent
     * @param stamp the server's answer
     */
    record Sync(long sentNanos, long sentWallMillis, Stamp stamp) {}
}
