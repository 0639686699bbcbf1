package dev.baton.internal.store;

import dev.baton.spi.Deadline;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits that no interrupt ends. If the caller of a store is interrupted, the engine undoes what the caller asked for, and
 * needs an answer to do so. An interrupt that comes during the wait is not lost: the thread is interrupted again when the
 * wait returns. So one that was interrupted before can wait again.
 */
public final class Uninterrupted {
    private Uninterrupted() {}

    /**
     * A wait that an interrupt ends, with a latch or a semaphore. A condition would not do: if an interrupt ends its wait, a
     * signal may go astray, so the caller has to look again at what it waits for before it waits again.
     */
    public interface Wait {
        /**
         * Waits.
         *
         * @param nanos the longest time; at 0 or less the call only looks
         * @return whether the wait ended before its time
         * @throws InterruptedException if the thread was interrupted; then the wait begins again
         */
        boolean upTo(long nanos) throws InterruptedException;
    }

    /** A wait with a result or a failure. */
    private interface Asked<T, X extends Exception, Y extends Exception> {
        T within(long nanos) throws InterruptedException, X, Y;
    }

    /**
     * Waits until the wait ends or its time is over.
     *
     * @param deadline until when
     * @param wait the wait
     * @return whether the wait ended before the deadline
     */
    public static boolean await(Deadline deadline, Wait wait) {
        return Uninterrupted.<Boolean, RuntimeException, RuntimeException>keepAsking(deadline, wait::upTo);
    }

    /**
     * Waits for a result.
     *
     * @param future of the result
     * @param deadline until when
     * @return the result
     * @param <T> the type of the result
     * @throws TimeoutException if there was none by the deadline
     * @throws ExecutionException if there was a failure instead
     */
    public static <T> T get(Future<T> future, Deadline deadline) throws TimeoutException, ExecutionException {
        return Uninterrupted.<T, TimeoutException, ExecutionException>keepAsking(
                deadline, nanos -> future.get(nanos, TimeUnit.NANOSECONDS));
    }

    private static <T, X extends Exception, Y extends Exception> T keepAsking(Deadline deadline, Asked<T, X, Y> asked)
            throws X, Y {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return asked.within(deadline.leftNanos());
                } catch (InterruptedException kept) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
