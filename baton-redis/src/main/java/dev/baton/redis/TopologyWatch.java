package dev.baton.redis;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Looks at the servers of a topology, on a thread of its own: soon after something showed that they may have changed, and now
 * and then without that. Thread-safe.
 */
final class TopologyWatch implements AutoCloseable {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Between two looks if the first one left something undone: for servers that cannot be reached now. */
    static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Between two looks, so that a failover of which the nodes know nothing yet does not keep them busy with questions. */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final BooleanSupplier look;
    private final Thread thread;
    private volatile boolean asked;
    private volatile boolean closed;

    /**
     * Creates a watch that does nothing before {@link #start}.
     *
     * @param look looks at the servers, and returns whether it left nothing undone
     */
    TopologyWatch(BooleanSupplier look, String threadName) {
        this.look = look;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long pause = PERIOD_NANOS;
        while (!closed) {
            Deadline next = Deadline.in(pause);
            while (!asked && !closed && next.leftNanos() > 0) {
                LockSupport.parkNanos(this, next.leftNanos());
            }
            asked = false;
            if (!closed) {
                pause = isDone() ? PERIOD_NANOS : AGAIN_NANOS;
                LockSupport.parkNanos(this, LEAST_NANOS);
            }
        }
    }

    /** Without a watch, its client would never find a server again: so a defect of one look does not end it. */
    private boolean isDone() {
        try {
            return look.getAsBoolean();
        } catch (RuntimeException defect) {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, defect);
            return false;
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
        boolean unused = Looking.until(() -> closed || seen.getAsBoolean(), Deadline.in(nanos), STEP_NANOS);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
