package dev.baton.internal.ordered;

import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client of an ordered store does without a command of its engine. The engine ends what is over. Only this is left
 * to the store:
 *
 * <ul>
 *   <li>An overdue hold or ticket of an engine that is silent ends at its deadline. Its session may go on for as long as
 *       the process lives, and no other client would end it.
 *   <li>A removal that was not answered is sent again until the session is over. The engine gives up earlier, and does
 *       not know of an entry that a late answer has brought back.
 *   <li>The record of a lock-delay is removed when the delay is over: it belongs to no hold any more.
 *   <li>What is left of a name is removed when the name has been idle for a second.
 * </ul>
 *
 * <p>Its thread sleeps while there is nothing of this kind. Thread-safe.
 */
final class Chores {
    /** 50 ms: how long a removal without an answer rests before it is sent again. */
    private static final long PERIOD_MILLIS = 50;

    /** The next run; without a task, none. */
    private record Plan(long micros, @Nullable ScheduledFuture<?> task) {
        static final Plan NONE = new Plan(Long.MAX_VALUE, null);

        void cancel() {
            if (task != null) {
                task.cancel(false);
            }
        }
    }

    private final Deadlines deadlines;
    private final Attempts attempts;
    private final EntryRemover remover;
    private final LockDelays delays;
    private final IdleNames idle;
    private final LongSupplier clock;
    private final boolean byHand;
    private final ScheduledThreadPoolExecutor timer;
    private final AtomicReference<Plan> planned = new AtomicReference<>(Plan.NONE);

    /**
     * Creates the chores of one store.
     *
     * @param byHand whether only {@link #run} does them
     */
    Chores(OrderedServer server, String clientId, LongSupplier clock, LongSupplier wallClock, boolean byHand) {
        this.clock = clock;
        this.byHand = byHand;
        this.deadlines = new Deadlines(this::plan);
        this.attempts = new Attempts(deadlines);
        this.delays = new LockDelays(clock, wallClock, this::needed);
        this.idle = new IdleNames(server, clock, this::needed);
        this.remover = new EntryRemover(server, attempts, delays, idle, clock, wallClock, this::needed);
        this.timer = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread thread = new Thread(task, "baton-" + clientId.substring(0, 6) + "-chores");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        // Otherwise each plan for the end of a long lease would stay there until that end.
        this.timer.setRemoveOnCancelPolicy(true);
    }

    Deadlines deadlines() {
        return deadlines;
    }

    Attempts attempts() {
        return attempts;
    }

    EntryRemover remover() {
        return remover;
    }

    LockDelays delays() {
        return delays;
    }

    IdleNames idle() {
        return idle;
    }

    /** Notes that there is something to do soon. */
    private void needed() {
        plan(clock.getAsLong() + PERIOD_MILLIS * 1_000);
    }

    /** Plans to run at a time, instead of at a later one. */
    private void plan(long micros) {
        while (!byHand) {
            Plan before = Objects.requireNonNull(planned.get());
            if (micros >= before.micros()) {
                return;
            }
            long left = Math.max(0, micros - clock.getAsLong());
            Plan sooner = new Plan(micros, timer.schedule(this::runPlanned, left, TimeUnit.MICROSECONDS));
            Plan dropped = planned.compareAndSet(before, sooner) ? before : sooner;
            dropped.cancel();
        }
    }

    /** Runs, and plans the next run. Passes an unexpected exception to the thread's handler, and goes on. */
    private void runPlanned() {
        Objects.requireNonNull(planned.getAndSet(Plan.NONE)).cancel();
        try {
            run();
        } catch (RuntimeException unexpected) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, unexpected);
        }
        if (remover.hasStranded() || !delays.isEmpty() || !idle.isEmpty()) {
            needed();
        }
        plan(deadlines.nextMicros());
    }

    /** Does what is due. */
    void run() {
        // Those with a lock-delay first: between two removals a waiter must not get a turn that the delay forbids.
        deadlines.endOverdue(clock.getAsLong()).stream()
                .sorted(Comparator.comparingLong(each -> -each.label.lockDelayMicros()))
                .forEach(remover::endOverdue);
        remover.sendAgain();
        idle.tidy();
        if (!delays.isEmpty()) {
            long now = clock.getAsLong();
            delays.over(now).forEach(name -> remover.endDelays(name, now));
        }
    }

    /** Goes on until the work is done, then closes and runs the last step. */
    void closeWhen(BooleanSupplier done, Runnable last) {
        if (byHand || done.getAsBoolean()) {
            close();
            last.run();
            return;
        }
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                () -> {
                    if (done.getAsBoolean()) {
                        close();
                        last.run();
                    }
                },
                PERIOD_MILLIS,
                PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    void close() {
        timer.shutdownNow();
    }
}
