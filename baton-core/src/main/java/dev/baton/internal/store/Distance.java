package dev.baton.internal.store;

import java.util.concurrent.TimeUnit;

/**
 * Judges by the first answers on a connection whether its server is far away: whether a round trip costs much more than a
 * write does. The shortest time counts, because queues and pauses only lengthen it: one quick answer shows that the server
 * is near, for as long as the connection lasts.
 *
 * <p>One thread at a time measures; any thread may ask.
 */
public final class Distance {
    /** Twice the time of a busy loopback; the next rack is further away. */
    static final long NEAR_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

    /** The first answers are slow anywhere: classes are loaded, and the server reads its scripts. */
    private static final int SLOW_AT_FIRST = 8;

    private static final int NEAR = -1;

    private volatile int slow;

    /** Creates a distance that is not known yet, and counts as near. */
    public Distance() {}

    /**
     * Returns whether the next time is of interest.
     *
     * @return whether no quick answer has been seen yet
     */
    public boolean mayBeFar() {
        return slow != NEAR;
    }

    /**
     * Learns from an answer.
     *
     * @param nanos the time from a write to its first answer
     */
    public void measured(long nanos) {
        slow = nanos <= NEAR_NANOS ? NEAR : Math.min(slow + 1, SLOW_AT_FIRST);
    }

    /**
     * Returns whether the server is far.
     *
     * @return whether there were a few answers, and all of them were slow
     */
    public boolean isFar() {
        return slow >= SLOW_AT_FIRST;
    }
}
