package dev.baton.internal.store;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;

/**
 * Decides when a store sends the commands that wait while it has no answer to others: together with the next one, or beside
 * those that are under way. Thread-safe.
 */
public final class Pace {
    /**
     * So many commands for each call under way must wait before another call is sent beside these. Few large calls take less of
     * the server's time than many small ones.
     */
    private static final int WORTH_ANOTHER = 16;

    /**
     * A command that takes longer by itself waits for the network or for a disk, and both serve several calls at once: to wait for
     * the answers of others would cost it as much again.
     */
    private static final long FAR_NANOS = TimeUnit.MICROSECONDS.toNanos(800);

    /** A slow call says little: a stalled processor looks the same. A fast one says that the server is near. */
    private static final int SLOWER_COUNTS = 32;

    /** Before so many commands went alone, the server counts as near: the first calls of a program are slow. */
    private static final int KNOWN_AFTER = 64;

    /** Beyond twice the usual time, so that a stalled processor is not taken for a slow call. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LONGEST_USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final int farCalls;
    private final long patienceNanos;

    // Written by several threads at once, of which one wins.

    /** How long a call usually takes. */
    private volatile long usualNanos;

    /** How long a call with one command takes if nothing holds it up. */
    private volatile long loneNanos;

    private volatile int loneCalls;

    /**
     * Creates a pace that knows no call yet.
     *
     * @param farCalls how many calls may be under way at once, however few commands wait, if the server is far
     */
    public Pace(int farCalls) {
        this(farCalls, PATIENCE_NANOS);
    }

    /**
     * Creates a pace that knows no call yet.
     *
     * @param farCalls how many calls may be under way at once, however few commands wait, if the server is far
     * @param patienceNanos how much longer than twice the usual time a call may take before others go beside it
     */
    public Pace(int farCalls, long patienceNanos) {
        this.farCalls = farCalls;
        this.patienceNanos = patienceNanos;
    }

    /**
     * Returns how long a command that begins to wait now does so at most for calls that are under way.
     *
     * @return the end of its patience
     */
    public Deadline patience() {
        return Deadline.in(2 * usualNanos + patienceNanos);
    }

    /**
     * Returns whether waiting commands are worth another call: few are under way, these are not enough, or one of them is
     * stuck.
     *
     * @param underWay how many calls have no answer
     * @param waiting how many commands wait
     * @param patience that of a waiting command
     * @return whether to send another one
     */
    public boolean isAnotherDue(int underWay, int waiting, Deadline patience) {
        return underWay < (isFar() ? farCalls : 1) || waiting >= WORTH_ANOTHER * underWay || patience.leftNanos() <= 0;
    }

    /**
     * Learns how long a call took that was answered.
     *
     * @param nanos from its beginning to its answer
     * @param commands how many commands it had
     */
    public void took(long nanos, int commands) {
        long before = usualNanos;
        usualNanos = before + (Math.min(nanos, LONGEST_USUAL_NANOS) - before) / 4;
        if (commands == 1) {
            long lone = loneNanos;
            loneNanos = lone == 0 ? nanos : lone + (nanos - lone) / (nanos < lone ? 2 : SLOWER_COUNTS);
            loneCalls = Math.min(loneCalls + 1, KNOWN_AFTER);
        }
    }

    private boolean isFar() {
        return loneCalls == KNOWN_AFTER && loneNanos > FAR_NANOS;
    }
}
