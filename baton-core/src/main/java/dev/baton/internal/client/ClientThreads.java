package dev.baton.internal.client;

import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Driver;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.Outbox;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client's threads, and the engine's driver on them.
 *
 * <ul>
 *   <li>watchdog: one thread; time, and nothing that blocks;
 *   <li>heartbeat: {@value #HEARTBEAT_THREADS}; heartbeats, so that nothing else can delay a renewal;
 *   <li>io: up to {@value #IO_THREADS}; commands of asynchronous callers and undoing;
 *   <li>callback: user code, unless the user brought an executor.
 * </ul>
 *
 * A caller that waits anyway performs its own command. All threads are daemons, end with the client, and have bounded
 * queues.
 */
final class ClientThreads implements Driver {
    private static final System.Logger LOG = System.getLogger("dev.baton");
    private static final int HEARTBEAT_THREADS = 2;
    private static final int IO_THREADS = 8;
    private static final int CALLBACK_THREADS = 32;

    /** More than the callers that the default bounds let wait for ten names at once. */
    private static final int QUEUE_BOUND = 100_000;

    private static final int IDLE_SECONDS = 30;
    private static final long WARN_EVERY_NANOS = 60_000_000_000L;

    /** 2 ms: between two looks at a clock that is moved by hand. */
    private static final long LOOK_NANOS = 2_000_000;

    private static final long ASLEEP = Long.MAX_VALUE;

    private final Clock clock;
    private final ScheduledThreadPoolExecutor watchdog;
    private final ThreadPoolExecutor heartbeat;
    private final ThreadPoolExecutor io;
    private final @Nullable ThreadPoolExecutor ownCallbacks;
    private final ThreadPoolExecutor overflow;
    private final Executor callbacks;
    private final AtomicLong lastWarningNanos = new AtomicLong(-WARN_EVERY_NANOS);
    private volatile long wakeNanos = ASLEEP;
    private @Nullable ScheduledFuture<?> wake;
    private volatile @Nullable Engine engine;
    private volatile @Nullable Store store;
    private volatile Runnable onTick = () -> {};
    private volatile boolean closed;

    ClientThreads(String clientId, Clock clock, @Nullable Executor userCallbacks) {
        String prefix = "baton-" + clientId.substring(0, 6);
        this.clock = clock;
        watchdog = new ScheduledThreadPoolExecutor(1, threads(prefix + "-watchdog"));
        watchdog.setRemoveOnCancelPolicy(true);
        watchdog.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        heartbeat = pool(HEARTBEAT_THREADS, prefix + "-heartbeat");
        io = pool(IO_THREADS, prefix + "-io");
        overflow = pool(1, prefix + "-overflow");
        if (userCallbacks != null) {
            ownCallbacks = null;
            callbacks = userCallbacks;
        } else {
            ownCallbacks = pool(CALLBACK_THREADS, prefix + "-callback");
            callbacks = ownCallbacks;
        }
    }

    void start(Engine newEngine, Store newStore, Runnable newOnTick) {
        engine = newEngine;
        store = newStore;
        onTick = newOnTick;
    }

    private static ThreadPoolExecutor pool(int size, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE_BOUND), threads(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory threads(String name) {
        AtomicLong number = new AtomicLong();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public void send(Command command) {
        ExecutorService executor = command.isHeartbeat() ? heartbeat : io;
        try {
            executor.execute(() -> perform(command, command.timeoutNanos()));
        } catch (RejectedExecutionException closedOrFull) {
            Outbox out = new Outbox();
            command.failed(
                    new StoreFailure(StoreFailure.Effect.NONE, "the client is closed, or too busy", closedOrFull), out);
            out.flush(this);
        }
    }

    /**
     * Performs a command on this thread and does what its answer asks for.
     *
     * @return why there was no answer, or null if there was one
     */
    @Nullable
    StoreFailure perform(Command command, long limitNanos) {
        Outbox out = new Outbox();
        StoreFailure failure = null;
        try {
            Store open = store;
            if (open == null) {
                throw new StoreFailure(StoreFailure.Effect.NONE, "the client is closed", null);
            }
            if (limitNanos < command.timeoutNanos()) {
                command.hurry(limitNanos);
            }
            command.sending();
            command.answered(command.perform(open, limitNanos), out);
        } catch (StoreFailure noAnswer) {
            failure = noAnswer;
        } catch (Throwable defect) {
            // Whatever it is, the engine must hear of it: a command without an end would wedge its resource for ever.
            LOG.log(System.Logger.Level.ERROR, "a store failed in a way that it must not", defect);
            failure = new StoreFailure(StoreFailure.Effect.UNKNOWN, "unexpected: " + defect, defect);
        }
        if (failure != null) {
            command.failed(failure, out);
        }
        out.flush(this);
        return failure;
    }

    @Override
    public void wakeAt(long nanos) {
        if (isEarlier(nanos)) {
            reschedule(nanos);
        }
    }

    private boolean isEarlier(long nanos) {
        long planned = wakeNanos;
        return planned == ASLEEP || nanos - planned < 0;
    }

    /** One timer at most is alive: a chain of ticks that outlives its reason would be a leak that grows. */
    private synchronized void reschedule(long nanos) {
        if (!isEarlier(nanos)) {
            return;
        }
        try {
            ScheduledFuture<?> superseded = wake;
            wake = watchdog.schedule(() -> tick(nanos), Math.max(0, nanos - clock.nanos()), TimeUnit.NANOSECONDS);
            wakeNanos = nanos;
            if (superseded != null) {
                superseded.cancel(false);
            }
        } catch (RejectedExecutionException closed) {
            // Nothing is renewed after close.
        }
    }

    private synchronized boolean isStillPlanned(long nanos) {
        boolean planned = wakeNanos == nanos;
        if (planned) {
            wakeNanos = ASLEEP;
        }
        return planned;
    }

    private void tick(long plannedNanos) {
        Engine current = engine;
        if (!isStillPlanned(plannedNanos) || current == null) {
            return;
        }
        Outbox out = new Outbox();
        try {
            onTick.run();
            current.tick(out);
        } catch (Throwable defect) {
            LOG.log(System.Logger.Level.ERROR, "the watchdog met a defect and goes on", defect);
            wakeAt(clock.nanos() + TimeUnit.MILLISECONDS.toNanos(100));
        } finally {
            out.flush(this);
        }
    }

    /** Runs a task after a time, on the watchdog: it must be quick, and bear to be run again until it is cancelled. */
    ScheduledFuture<?> schedule(Runnable task, long delayNanos) {
        if (!clock.isMovedByHand()) {
            return watchdog.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        }
        long dueNanos = clock.nanos() + delayNanos;
        Runnable check = () -> {
            if (clock.nanos() - dueNanos >= 0) {
                task.run();
            }
        };
        return watchdog.scheduleWithFixedDelay(check, LOOK_NANOS, LOOK_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Runs a task again and again until the client closes; not where a clock is moved by hand, and tells by itself. */
    void every(long nanos, Runnable task) {
        if (clock.isMovedByHand()) {
            return;
        }
        Runnable safely = () -> {
            try {
                task.run();
            } catch (RuntimeException defect) {
                LOG.log(System.Logger.Level.ERROR, "the watchdog met a defect and goes on", defect);
            }
        };
        ScheduledFuture<?> unused = watchdog.scheduleWithFixedDelay(safely, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** How long to really wait before looking at the clock again. */
    long realNanos(long nanos) {
        return clock.isMovedByHand() ? Math.min(nanos, LOOK_NANOS) : nanos;
    }

    /** Does at once, on this thread, what the engine has due: for a clock that is moved by hand. */
    void tickHere() {
        Engine current = engine;
        if (current == null) {
            return;
        }
        Outbox out = new Outbox();
        onTick.run();
        current.tick(out);
        out.flush(new Driver() {
            @Override
            public void send(Command command) {
                perform(command, command.timeoutNanos());
            }

            @Override
            public void wakeAt(long nanos) {
                ClientThreads.this.wakeAt(nanos);
            }

            @Override
            public void callback(Runnable userCode) {
                ClientThreads.this.callback(userCode);
            }
        });
    }

    @Override
    public void callback(Runnable userCode) {
        Callback task = new Callback(userCode);
        try {
            callbacks.execute(task);
        } catch (Throwable refused) {
            runElsewhere(userCode, "the callback executor refused a task: " + refused);
        }
        task.submitted = true;
    }

    /** A task that finds itself on the thread that submitted it goes elsewhere: that thread renews leases. */
    private final class Callback implements Runnable {
        private final Runnable userCode;
        private final Thread submitter = Thread.currentThread();
        private volatile boolean submitted;

        Callback(Runnable userCode) {
            this.userCode = userCode;
        }

        @Override
        public void run() {
            if (!submitted && Thread.currentThread() == submitter) {
                runElsewhere(userCode, "the callback executor runs tasks in the submitting thread");
            } else {
                runSafely(userCode);
            }
        }
    }

    private void runElsewhere(Runnable userCode, String why) {
        long now = clock.nanos();
        long last = lastWarningNanos.get();
        if (!closed && now - last >= WARN_EVERY_NANOS && lastWarningNanos.compareAndSet(last, now)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    why + "; a thread of Baton's own takes over, and drops what it cannot");
        }
        try {
            overflow.execute(() -> runSafely(userCode));
        } catch (RejectedExecutionException full) {
            // Told above. Dropping is what a bound means.
        }
    }

    private static void runSafely(Runnable userCode) {
        try {
            userCode.run();
        } catch (Throwable fault) {
            LOG.log(System.Logger.Level.ERROR, "a callback failed", fault);
        }
    }

    /**
     * Ends all threads; callbacks that are queued still run. The overflow stays open, and without a thread while it has
     * nothing to do: whoever asks a closed client's leases for a future must see it completed.
     */
    void close() {
        closed = true;
        watchdog.shutdownNow();
        heartbeat.shutdown();
        io.shutdown();
        if (ownCallbacks != null) {
            ownCallbacks.shutdown();
        }
        store = null;
    }
}
