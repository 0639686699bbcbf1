package dev.baton.tck;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Work on another thread.
 *
 * @param <T> what comes out of it
 */
public final class Work<T> {
    private final Thread thread;
    private final FutureTask<T> task;

    Work(Thread thread, FutureTask<T> task) {
        this.thread = thread;
        this.task = task;
    }

    /**
     * What is done.
     *
     * @param <T> what comes out of it
     */
    @FunctionalInterface
    public interface Body<T> {
        /** Does it. */
        T run() throws Exception;
    }

    /** Interrupts the thread. */
    public void interrupt() {
        thread.interrupt();
    }

    /** Whether it has ended, well or badly. */
    public boolean isDone() {
        return task.isDone();
    }

    /** Whether the thread waits for something. */
    public boolean isWaiting() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /**
     * What came out of it, within half a minute.
     *
     * @throws Exception what the work threw
     */
    public T get() throws Exception {
        return get(Duration.ofSeconds(30));
    }

    /**
     * What came out of it, in time.
     *
     * @throws Exception what the work threw
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
