package dev.baton.tck;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Work on another thread.
 *
 * @param <T> the type of the result
 */
public final class Work<T> {
    private final Thread thread;
    private final FutureTask<T> task;

    Work(Thread thread, FutureTask<T> task) {
        this.thread = thread;
        this.task = task;
    }

    /**
     * The code of the work.
     *
     * @param <T> the type of the result
     */
    @FunctionalInterface
    public interface Body<T> {
        /** Does the work, and returns its result. */
        T run() throws Exception;
    }

    /** Interrupts the thread. */
    public void interrupt() {
        thread.interrupt();
    }

    /** Returns whether the work has ended, with a result or an exception. */
    public boolean isDone() {
        return task.isDone();
    }

    /** Returns whether the thread is waiting. */
    public boolean isWaiting() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /**
     * Waits up to half a minute for the result.
     *
     * @throws Exception the exception that the work threw
     */
    public T get() throws Exception {
        return get(Duration.ofSeconds(30));
    }

    /**
     * Waits for the result up to the limit.
     *
     * @throws Exception the exception that the work threw
     */
    public T get(Duration limit) throws Exception {
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw new AssertionError(failed.getCause());
        } catch (TimeoutException late) {
            AssertionError error = new AssertionError("not done after " + limit + ": " + thread);
            error.setStackTrace(thread.getStackTrace());
            throw error;
        }
    }
}
