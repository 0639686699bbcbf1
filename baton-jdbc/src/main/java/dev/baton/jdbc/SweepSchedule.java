package dev.baton.jdbc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a client sweeps: one batch a second, or after {@value #RELEASES} releases, until two walks over all names have ended
 * after its last release; the first may have passed rows that were too young. Then one batch in half a minute, for what
 * dead clients have left. Thousands of clients that only wait, or only renew, must not all walk over the same names each
 * second. Thread-safe.
 */
final class SweepSchedule {
    /** Each of these may have left one free row, so batches must be larger than this. */
    static final int RELEASES = 256;

    /** A row that was used within this time stays. */
    static final long EVERY_MICROS = 1_000_000;

    private static final long FOR_OTHERS_MICROS = 30_000_000;
    private static final int WALKS = 2;

    private final AtomicInteger releases = new AtomicInteger();
    private final AtomicInteger walks = new AtomicInteger();
    private final AtomicLong lastMicros = new AtomicLong();

    /** Counts a release that left a row. */
    void released() {
        releases.incrementAndGet();
        walks.set(WALKS);
    }

    /** Counts a walk that has ended. */
    void walked() {
        walks.updateAndGet(left -> Math.max(0, left - 1));
    }

    /** Returns whether a batch should be swept now; returns true to at most one caller. */
    boolean isDue(long now) {
        long last = lastMicros.get();
        long pause = walks.get() > 0 ? EVERY_MICROS : FOR_OTHERS_MICROS;
        boolean due = now >= last + pause || now < last || releases.get() >= RELEASES;
        if (due && lastMicros.compareAndSet(last, now)) {
            releases.set(0);
            return true;
        }
        return false;
    }
}
