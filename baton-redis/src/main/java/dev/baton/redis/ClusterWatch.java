package dev.baton.redis;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Looks where the buckets are, on a thread of its own: soon after something showed that they may have moved, and now and then
 * without that. Thread-safe.
 */
final class ClusterWatch implements AutoCloseable {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Between two looks, so that a failover of which the nodes know nothing yet does not keep them busy with questions. */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Runnable look;
    private final Thread thread;
    private volatile boolean asked;
    private volatile boolean closed;

    /**
     * Creates a watch that does nothing before {@link #start}.
     *
     * @param look looks at the nodes
     */
    ClusterWatch(Runnable look, String threadName) {
        this.look = look;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            Deadline next = Deadline.in(PERIOD_NANOS);
            while (!asked && !closed && next.leftNanos() > 0) {
                LockSupport.parkNanos(this, next.leftNanos());
            }
            asked = false;
            if (!closed) {
                look.run();
                LockSupport.parkNanos(this, LEAST_NANOS);
            }
        }
    }

    /** Has it look soon. */
    void lookSoon() {
        if (!asked) {
            asked = true;
            LockSupport.unpark(thread);
        }
    }

    /** Waits until there is something to see, at most for some time. */
    void await(BooleanSupplier seen, long nanos) {
        Deadline end = Deadline.in(nanos);
        boolean interrupted = false;
        while (!closed && !seen.getAsBoolean() && end.leftNanos() > 0) {
            LockSupport.parkNanos(this, Math.min(STEP_NANOS, end.leftNanos()));
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
