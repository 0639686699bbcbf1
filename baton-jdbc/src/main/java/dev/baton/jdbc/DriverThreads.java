package dev.baton.jdbc;

import dev.baton.internal.store.VirtualThreads;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Platform threads of Baton's own, on which drivers connect. They also run a driver that must not run on its caller's
 * thread. The JDK closes the socket of an interrupted virtual thread, and the file of any interrupted thread that uses
 * a channel, as an embedded H2 does; and H2's driver has no time limit for a call over a socket. Nothing interrupts
 * these threads. They end after they have been idle for a while. Thread-safe.
 */
final class DriverThreads implements Executor {
    /** A call on the driver. */
    interface Call<T> {
        T call() throws StoreFailure;
    }

    private static final int IDLE_SECONDS = 10;

    /** A driver that keeps the deadline itself may be a little late, and knows more about the call's effect. */
    private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ExecutorService pool;
    private final boolean always;

    /**
     * Creates the pool; threads start on demand.
     *
     * @param name of each thread
     * @param always whether calls of platform threads run here, too
     */
    DriverThreads(String name, boolean always) {
        this.always = always;
        this.pool = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Returns whether the current thread must not run the driver. */
    boolean areNeeded() {
        return always || VirtualThreads.isVirtual(Thread.currentThread());
    }

    /**
     * Runs a call on one of these threads, and waits for it until the deadline, even if the caller is interrupted.
     *
     * @param target the database, as messages show it
     * @param ifRefused runs if the call is not made at all
     */
    <T> T call(Deadline deadline, String target, Call<T> call, Runnable ifRefused) throws StoreFailure {
        FutureTask<T> task = new FutureTask<>(call::call);
        try {
            pool.execute(task);
        } catch (RejectedExecutionException | Error noThread) {
            ifRefused.run();
            throw new StoreFailure(Effect.NONE, "no thread for " + target + ": " + noThread, noThread);
        }
        try {
            return await(task, Deadline.in(Math.max(0, deadline.leftNanos()) + SLACK_NANOS));
        } catch (TimeoutException late) {
            throw new StoreFailure(
                    Effect.UNKNOWN, Reason.UNREACHABLE, "the driver of " + target + " did not return in time", null);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof StoreFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    /** Waits for a task, even if the caller is interrupted; restores the interrupt flag. */
    private static <T> T await(FutureTask<T> task, Deadline deadline) throws TimeoutException, ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(deadline.leftNanos(), TimeUnit.NANOSECONDS);
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

    /** Runs a task on one of these threads, and waits a limited time for its end. */
    void runFor(long nanos, Runnable task) {
        FutureTask<Boolean> done = new FutureTask<>(task, true);
        try {
            pool.execute(done);
            boolean unused = await(done, Deadline.in(nanos));
        } catch (RejectedExecutionException | ExecutionException | TimeoutException ended) {
            // The caller goes on without the result.
        }
    }

    @Override
    public void execute(Runnable work) {
        pool.execute(work);
    }

    /** Accepts no more work; running work continues. */
    void close() {
        pool.shutdown();
    }
}
