package dev.baton.internal.client;

import dev.baton.BatonListener;
import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Driver;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.Outbox;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client's threads, and the engine's driver on them.
 *
 * <ul>
 * <li>watchdog: one thread; timed work that never blocks;
 * <li>heartbeat: {@value #HEARTBEAT_THREADS}; heartbeats only, so that no other work can delay a renewal;
 * <li>io: up to {@value #IO_THREADS}; commands of asynchronous callers, and undo commands;
 * <li>loss, completion, action: user code, each up to {@value #USER_THREADS}, because that code may block;
 * <li>event, log, executor: one each; the listener, the logger and the user's executor, which may block too.
 * </ul>
 *
 * A caller that waits anyway performs its own command. All threads are daemons and end with the client. The threads
 * that keep leases alive start with the client and end with it, and so do two threads each for losses and completions:
 * a process that can start no more threads loses none of its leases. The other threads start when needed.
 */
final class ClientThreads implements Driver {
    private static final System.Logger LOG = System.getLogger("dev.baton");
    private static final int HEARTBEAT_THREADS = 2;
    private static final int IO_THREADS = 8;

    /** More than the callbacks that block at the same time, and fewer than the usual thread limits of a process. */
    private static final int USER_THREADS = 2_048;

    /** More than the callers that may wait for ten names at once under the default bounds. */
    private static final int COMMANDS_BOUND = 100_000;

    private static final int LOG_BOUND = 1_000;
    private static final long WARN_EVERY_NANOS = 60_000_000_000L;

    /** 100 ms: after a tick that met a defect. */
    private static final long DEFECT_PAUSE_NANOS = 100_000_000;

    /** 2 ms: between two reads of a clock that is moved by hand. */
    private static final long LOOK_NANOS = 2_000_000;

    private static final long ASLEEP = Long.MAX_VALUE;

    private final Clock clock;
    private final String prefix;
    private final ThreadFactory factory;
    private final ScheduledThreadPoolExecutor watchdog;
    private final Workers heartbeat;
    private final Workers io;
    private final Workers losses;
    private final Workers completions;
    private final Workers actions;
    private final Workers handOver;
    private final Workers events;
    private final Workers logs;
    private final Deliveries deliveries;
    private final @Nullable EventQueue eventQueue;
    private final AtomicLong lastWarningNanos;
    private volatile long wakeNanos = ASLEEP;
    private @Nullable ScheduledFuture<?> wake;
    private volatile @Nullable Engine engine;
    private volatile @Nullable Store store;
    private volatile Runnable onTick = () -> {};
    private volatile boolean closed;

    ClientThreads(
            String clientId,
            Clock clock,
            @Nullable Executor userExecutor,
            @Nullable BatonListener listener,
            ThreadFactory factory) {
        this.prefix = "baton-" + clientId.substring(0, 6);
        this.clock = clock;
        this.factory = factory;
        this.lastWarningNanos = new AtomicLong(clock.nanos() - WARN_EVERY_NANOS);
        watchdog = new ScheduledThreadPoolExecutor(1, this::newWatchdog);
        watchdog.setRemoveOnCancelPolicy(true);
        watchdog.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        logs = workers("log", 1, 0, LOG_BOUND);
        heartbeat = workers("heartbeat", HEARTBEAT_THREADS, HEARTBEAT_THREADS, COMMANDS_BOUND);
        io = workers("io", IO_THREADS, 0, COMMANDS_BOUND);
        // Each of these belongs to a future or a lease of the application, which bounds them itself.
        losses = workers("loss", USER_THREADS, 2, Integer.MAX_VALUE);
        completions = workers("completion", USER_THREADS, 2, Integer.MAX_VALUE);
        actions = workers("action", USER_THREADS, 0, Integer.MAX_VALUE);
        handOver = workers("executor", 1, 0, Integer.MAX_VALUE);
        events = workers("event", 1, 0, EventQueue.BOUND);
        deliveries = new Deliveries(userExecutor, handOver, completions, actions, this::lookAfter, this::warn);
        eventQueue = listener == null ? null : new EventQueue(listener, events, this::warn);
    }

    private Workers workers(String kind, int most, int kept, int bound) {
        return new Workers(
                prefix + '-' + kind,
                most,
                kept,
                bound,
                factory,
                fault -> log(System.Logger.Level.ERROR, "a callback failed", fault));
    }

    private Thread newWatchdog(Runnable work) {
        Thread thread = factory.newThread(work);
        thread.setName(prefix + "-watchdog");
        thread.setDaemon(true);
        return thread;
    }

    /** Starts the threads without which a lease could be lost, or a loss not be reported. */
    void startKept() throws StoreFailure {
        try {
            watchdog.prestartAllCoreThreads();
            heartbeat.startKept();
            losses.startKept();
            completions.startKept();
        } catch (OutOfMemoryError noThread) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.OTHER,
                    "this process cannot start the threads that renew leases: it has as many as it may, or too little"
                            + " memory (" + noThread.getMessage() + ")",
                    noThread);
        }
    }

    void start(Engine newEngine, Store newStore, Runnable newOnTick) {
        engine = newEngine;
        store = newStore;
        onTick = newOnTick;
    }

    // ---- commands ------------------------------------------------------------------------------------------------

    @Override
    public void send(Command command) {
        Workers workers = command.isHeartbeat() ? heartbeat : io;
        if (!workers.submit(() -> perform(command, command.timeoutNanos()))) {
            fail(
                    command,
                    new StoreFailure(
                            StoreFailure.Effect.NONE,
                            closed
                                    ? "the client is closed"
                                    : "no thread can be started for this command, or too many commands wait",
                            null));
        }
    }

    /**
     * Performs a command on this thread and handles its answer.
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
            Engine current = asker();
            current.sending(command);
            current.answered(command, command.perform(open, limitNanos), out);
        } catch (StoreFailure noAnswer) {
            failure = noAnswer;
        } catch (Throwable defect) {
            // The engine must hear of every failure: a command without an end would block its resource for ever.
            log(System.Logger.Level.ERROR, "a command failed with an unexpected exception", defect);
            failure = new StoreFailure(StoreFailure.Effect.UNKNOWN, "unexpected: " + defect, defect);
        }
        // If handling the answer failed midway, the work that it had queued is still done.
        out.flush(this);
        if (failure != null) {
            fail(command, failure);
        }
        return failure;
    }

    /** The engine, which made every command. */
    private Engine asker() {
        return Objects.requireNonNull(engine);
    }

    private void fail(Command command, StoreFailure failure) {
        Outbox out = new Outbox();
        try {
            asker().failed(command, failure, out);
        } finally {
            out.flush(this);
        }
    }

    // ---- time ----------------------------------------------------------------------------------------------------

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

    /** At most one timer is alive: a chain of ticks that outlives its reason would be a growing leak. */
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
            // No lease is renewed after close.
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
        try {
            safely(onTick);
            Outbox out = new Outbox();
            try {
                current.tick(out);
            } finally {
                out.flush(this);
            }
            losses.help();
            io.help();
        } catch (Throwable defect) {
            // Comes first: without a next tick, no lease would be renewed any more.
            wakeAt(clock.nanos() + DEFECT_PAUSE_NANOS);
            log(System.Logger.Level.ERROR, "the watchdog met a defect and goes on", defect);
        }
    }

    private void safely(Runnable step) {
        try {
            step.run();
        } catch (Throwable defect) {
            log(System.Logger.Level.ERROR, "the watchdog met a defect and goes on", defect);
        }
    }

    /**
     * Runs a task after a time, on the watchdog. It must be fast and idempotent: it may run again until it is
     * cancelled.
     */
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

    /**
     * Runs a task periodically until the client closes. Does nothing if the clock is moved by hand: {@link #tickHere}
     * is then called.
     */
    void every(long nanos, Runnable task) {
        if (clock.isMovedByHand()) {
            return;
        }
        ScheduledFuture<?> unused =
                watchdog.scheduleWithFixedDelay(() -> safely(task), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Runs a task later that must not block, by the machine's clock.
     *
     * @return prevents it, if it has not begun
     */
    Runnable later(long delayNanos, Runnable task) {
        try {
            ScheduledFuture<?> planned = watchdog.schedule(() -> safely(task), delayNanos, TimeUnit.NANOSECONDS);
            return () -> planned.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    /** Starts a thread whose owner ends it. */
    Thread startNamed(String name, Runnable work) {
        Thread thread = factory.newThread(work);
        thread.setName(name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Uses the machine's clock even if the client's clock is moved by hand, because the threads run in real time. */
    private void lookAfter(long delayNanos) {
        try {
            ScheduledFuture<?> unused =
                    watchdog.schedule(() -> safely(deliveries::look), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // No lease is held after close.
        }
    }

    /** Returns how long to wait in real time before the clock is read again. */
    long realNanos(long nanos) {
        return clock.isMovedByHand() ? Math.min(nanos, LOOK_NANOS) : nanos;
    }

    /** Does the engine's due work at once, on this thread, for a clock that is moved by hand. */
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
            public void call(Kind kind, Runnable userCode) {
                ClientThreads.this.call(kind, userCode);
            }
        });
    }

    // ---- code of users -------------------------------------------------------------------------------------------

    @Override
    public void call(Kind kind, Runnable userCode) {
        switch (kind) {
            case LOSS -> losses.submit(userCode);
            case COMPLETION -> complete(new Ending(userCode));
            case EVENT -> {
                if (eventQueue != null) {
                    eventQueue.submit(userCode);
                }
            }
            case LOG -> logs.submit(userCode);
        }
    }

    /** The completion of a future that carries no lease: it waits for a thread without a time limit. */
    private static final class Ending extends Delivery {
        private final Runnable completion;

        Ending(Runnable completion) {
            super(FOREVER);
            this.completion = completion;
        }

        @Override
        void deliver() {
            completion.run();
        }

        @Override
        void giveUp(String why) {
            // The client is closed and can start no thread, so only this thread can complete it.
            completion.run();
        }
    }

    /** Completes a future on another thread. */
    void complete(Delivery completion) {
        deliveries.complete(completion);
    }

    /** Completes a future that carries no lease, on another thread. */
    void complete(Runnable completion) {
        deliveries.complete(new Ending(completion));
    }

    /** Completes a future on a thread of the client, because the user's executor has not done it. */
    void completeHere(Runnable completion) {
        deliveries.completeHere(new Ending(completion));
    }

    /** Runs an action on an executor of the user or on a thread of the client. */
    void act(Delivery action, @Nullable Executor executor) {
        deliveries.act(action, executor == null ? deliveries.userExecutor() : executor);
    }

    /** Runs the work that follows an action that ended on another thread, on a thread that may block. */
    void follow(Runnable rest) {
        deliveries.follow(rest);
    }

    void log(System.Logger.Level level, String message, @Nullable Throwable cause) {
        logs.submit(() -> LOG.log(level, message, cause));
    }

    /** Logs at most one warning a minute. */
    private void warn(String message) {
        long now = clock.nanos();
        long last = lastWarningNanos.get();
        if (!closed && now - last >= WARN_EVERY_NANOS && lastWarningNanos.compareAndSet(last, now)) {
            log(System.Logger.Level.WARNING, message, null);
        }
    }

    /**
     * Ends all threads. Waiting callbacks still run, and later ones start a new thread, because a future from a lease
     * of a closed client must still complete.
     */
    void close() {
        closed = true;
        watchdog.shutdownNow();
        heartbeat.close();
        io.close();
        losses.retire();
        completions.retire();
        actions.retire();
        handOver.retire();
        events.retire();
        logs.retire();
        store = null;
    }
}
