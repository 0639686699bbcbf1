package dev.baton.internal.work;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread of an action that takes too long; never code that runs after the action. */
final class TimeLimit implements AutoCloseable {
    /** An action. */
    interface Work {
        void run() throws Exception;
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Thread thread = Thread.currentThread();
    private final String job;
    private final Optional<Duration> limit;
    private Runnable cancel = () -> {};
    private boolean over;
    private boolean interrupted;

    private TimeLimit(String job, Optional<Duration> limit) {
        this.job = job;
        this.limit = limit;
    }

    /** Begins to count. */
    static TimeLimit of(Optional<Duration> limit, Host host, String job) {
        TimeLimit time = new TimeLimit(job, limit);
        limit.ifPresent(most -> time.cancel = host.later(most, time::interrupt));
        return time;
    }

    private void interrupt() {
        lock.lock();
        try {
            if (!over) {
                interrupted = true;
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action on this thread; returns its exception, or that its time was over; null for neither. */
    @Nullable
    Throwable failureOf(Work work) {
        Throwable failure = null;
        try {
            work.run();
        } catch (Throwable thrown) {
            failure = thrown;
        }
        if (!end()) {
            return failure;
        }
        // The interrupt was ours: nothing after the action is to see it.
        boolean unused = Thread.interrupted();
        TimeoutException late = new TimeoutException("the job \"" + job + "\" took longer than atMost, which is "
                + limit.orElse(Duration.ZERO) + ": it was interrupted");
        if (failure != null) {
            late.initCause(failure);
        }
        return late;
    }

    /** Returns whether the action was interrupted. */
    private boolean end() {
        lock.lock();
        try {
            over = true;
            return interrupted;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        cancel.run();
    }
}
