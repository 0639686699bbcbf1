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
 * thread: the JDK closes the socket of an interrupted virtual thread, and the file of any interrupted thread that uses a
 * channel, as an embedded H2 does; and H2's driver has no time limit for a call over a socket. Nothing interrupts these
 * threads. They end when they have been idle for a while. Thread-safe.
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
     * No thread yet.
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

    /** Whether the present thread must not run the driver. */
    boolean areNeeded() {
        return always || VirtualThreads.isVirtual(Thread.currentThread());
    }

    /**
     * Makes a call here, and waits for it as long as the deadline allows, whatever interrupts the caller.
     *
     * @param target what is called, for people
     * @param ifRefused what to do if the call is not made at all
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

    /** Waits for a task, whatever interrupts the caller; the flag is kept. */
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

    /** Runs a task here, and waits for its end for a while. */
    void runFor(long nanos, Runnable task) {
        FutureTask<Boolean> done = new FutureTask<>(task, true);
        try {
            pool.execute(done);
            boolean unused = await(done, Deadline.in(nanos));
        } catch (RejectedExecutionException | ExecutionException | TimeoutException ended) {
            // The caller does without.
        }
    }

    @Override
    public void execute(Runnable work) {
        pool.execute(work);
    }

    /** Takes no more work; what runs goes on. */
    void close() {
        pool.shutdown();
    }
}
