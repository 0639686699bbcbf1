package dev.baton.jdbc;

import dev.baton.internal.store.Elsewhere;
import dev.baton.internal.store.Uninterrupted;
import dev.baton.internal.store.VirtualThreads;
import dev.baton.spi.Deadline;
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
 * a channel, as an embedded H2 does; and H2's driver has no time limit for a call over a socket. Calls whose
 * time is too short to break a connection for it run here, too. Nothing interrupts these threads. They end after they have been idle for a while. Thread-safe.
 */
final class DriverThreads implements Executor {
    private static final int IDLE_SECONDS = 10;

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

    /** Returns whether the current thread must not run the driver, or the driver must not be cut short at a deadline. */
    boolean areNeeded(Deadline deadline) {
        return always || VirtualThreads.isVirtual(Thread.currentThread()) || Elsewhere.isBrief(deadline);
    }

    /** Runs a task on one of these threads, and waits a limited time for its end. */
    void runFor(long nanos, Runnable task) {
        FutureTask<Boolean> done = new FutureTask<>(task, true);
        try {
            pool.execute(done);
            boolean unused = Uninterrupted.get(done, Deadline.in(nanos));
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
