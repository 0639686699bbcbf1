package dev.baton.tck.history;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Whether what a store keeps returns to its base once nobody uses it. */
public final class Residue {
    private Residue() {}

    /**
     * Waits for it.
     *
     * @param records counts what the store keeps
     * @param base how much may stay
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
