package dev.baton.tck.history;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Checks whether the records of an unused store return to their base count. */
public final class Residue {
    private Residue() {}

    /**
     * Waits until the count has returned to its base, or the limit is over.
     *
     * @param records counts the store's records
     * @param base how many records may stay
     * @param limit how long it may take
     * @return the count, at most {@code base} if it returned in time
     */
    public static long await(Callable<Long> records, long base, Duration limit) throws Exception {
        long end = System.nanoTime() + limit.toNanos();
        long count = records.call();
        while (count > base && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(20_000_000);
            count = records.call();
        }
        return count;
    }
}
