package dev.baton.redis;

import dev.baton.spi.Deadline;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread makes so, by looking time and again: nothing wakes the one that waits. */
final class Looking {
    private Looking() {}

    /**
     * Waits until something is so. An interrupt does not end the wait, and is kept.
     *
     * @param isSo tells whether it is; may wait, but not for long
     * @param stepNanos the longest time between two looks
     * @return false if the deadline has come first
     */
    static boolean until(BooleanSupplier isSo, Deadline deadline, long stepNanos) {
        boolean interrupted = false;
        try {
            while (!isSo.getAsBoolean()) {
                long left = deadline.leftNanos();
                if (left <= 0) {
                    return isSo.getAsBoolean();
                }
                LockSupport.parkNanos(Math.min(left, stepNanos));
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
