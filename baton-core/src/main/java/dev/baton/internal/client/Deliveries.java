package dev.baton.internal.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings completions and actions to user code, or gives them up.
 *
 * <p>Completions go to the user's executor, if there is one. A dedicated thread calls it, because {@code execute} may
 * block. While it blocks, and if it throws, completions run on threads of the client. A grant that no thread has taken
 * within its lease time is given back, and its future fails.
 */
final class Deliveries {
    /** 500 ms: an executor that blocks its caller for back-pressure has had its effect by then. */
    private static final long EXECUTE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** 20 ms: between two checks of the pending deliveries. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long NOT_HANDING = Long.MIN_VALUE;

    private final @Nullable Executor userExecutor;
    private final Workers handOver;
    private final Workers completions;
    private final Workers actions;
    private final LongConsumer lookAfter;
    private final Consumer<String> warn;
    private final Queue<Delivery> onTheirWay = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean lookPlanned = new AtomicBoolean();
    private volatile long handingSinceNanos = NOT_HANDING;
    private volatile @Nullable Delivery handing;

    /**
     * Creates the deliveries of one client.
     *
     * @param userExecutor the user's executor for callbacks, or null
     * @param handOver one thread, which calls it
     * @param completions threads of the client for completions
     * @param actions threads of the client for actions
     * @param lookAfter schedules one call of {@link #look} after so many nanoseconds
     * @param warn logs a warning, at a limited rate
     */
    Deliveries(
            @Nullable Executor userExecutor,
            Workers handOver,
            Workers completions,
            Workers actions,
            LongConsumer lookAfter,
            Consumer<String> warn) {
        this.userExecutor = userExecutor;
        this.handOver = handOver;
        this.completions = completions;
        this.actions = actions;
        this.lookAfter = lookAfter;
        this.warn = warn;
    }

    // ---- completions ---------------------------------------------------------------------------------------------

    /** Completes a future on another thread. */
    void complete(Delivery completion) {
        watch(completion);
        Executor executor = userExecutor;
        if (executor == null || isStuck() || !handOver.submit(() -> handOver(completion, executor))) {
            completeHere(completion);
        }
    }

    /** Completes a future on a thread of the client. */
    void completeHere(Delivery completion) {
        completion.accept();
        if (!completions.submit(completion)) {
            completion.giveUpIfNotBegun("no thread could be started for it");
        }
    }

    /** Calls the user's executor, on the dedicated thread. */
    private void handOver(Delivery completion, Executor executor) {
        if (completion.isBegun() || completion.isAccepted()) {
            return;
        }
        Thread here = Thread.currentThread();
        handing = completion;
        handingSinceNanos = SystemClock.INSTANCE.nanos();
        try {
            executor.execute(() -> {
                if (Thread.currentThread() == here && handing == completion) {
                    warn.accept("the callback executor runs tasks in the thread that submits them");
                    completeHere(completion);
                } else {
                    completion.run();
                }
            });
            completion.accept();
        } catch (Throwable refusal) {
            warn.accept("the callback executor refused a task (" + refusal + ")");
            completeHere(completion);
        } finally {
            handingSinceNanos = NOT_HANDING;
            handing = null;
        }
    }

    private boolean isStuck() {
        long since = handingSinceNanos;
        return since != NOT_HANDING && SystemClock.INSTANCE.nanos() - since > EXECUTE_NANOS;
    }

    // ---- actions -------------------------------------------------------------------------------------------------

    /**
     * Runs an action. If its executor refuses it, it is given up.
     *
     * @param executor the user's, called on a thread of the client; null to run the action on that thread itself
     */
    void act(Delivery action, @Nullable Executor executor) {
        action.accept();
        watch(action);
        if (!actions.submit(executor == null ? action : () -> handAction(action, executor))) {
            action.giveUpIfNotBegun("no thread could be started for it");
        }
    }

    private static void handAction(Delivery action, Executor executor) {
        try {
            executor.execute(action);
        } catch (Throwable refusal) {
            action.giveUpIfNotBegun("its executor refused it (" + refusal + ")");
        }
    }

    /** Returns the executor for actions that name none; null for threads of the client. */
    @Nullable
    Executor userExecutor() {
        return userExecutor;
    }

    /** Runs the work that follows an action that ended on another thread, on a thread that may block. */
    void follow(Runnable rest) {
        if (!actions.submit(rest) && !completions.submit(rest)) {
            // The client is closed and holds no lease any more, so this work does not block.
            rest.run();
        }
    }

    // ---- what is late --------------------------------------------------------------------------------------------

    private void watch(Delivery delivery) {
        if (delivery.limitNanos() == Delivery.FOREVER && (userExecutor == null || delivery.isAccepted())) {
            return;
        }
        onTheirWay.add(delivery);
        planLook();
    }

    private void planLook() {
        if (lookPlanned.compareAndSet(false, true)) {
            lookAfter.accept(LOOK_NANOS);
        }
    }

    /** Gives up deliveries whose time is over; called on the watchdog. */
    void look() {
        completions.help();
        actions.help();
        onTheirWay.removeIf(this::isSettled);
        lookPlanned.set(false);
        if (!onTheirWay.isEmpty()) {
            planLook();
        }
    }

    private boolean isSettled(Delivery delivery) {
        if (!delivery.isBegun() && delivery.isOlderThan(delivery.limitNanos())) {
            delivery.giveUpIfNotBegun("no thread took it within its lease time");
        } else if (!delivery.isAccepted() && delivery.isOlderThan(EXECUTE_NANOS)) {
            warn.accept("the callback executor blocks the thread that calls it");
            completeHere(delivery);
        }
        return delivery.isBegun() || (delivery.isAccepted() && delivery.limitNanos() == Delivery.FOREVER);
    }
}
