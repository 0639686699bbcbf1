package dev.baton.internal.ordered;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The thread that ends overdue holds and tickets. */
final class Sweeper {
    /** 50 ms: how long after its deadline a hold may end if its client lives but has not released it. */
    private static final long PERIOD_MILLIS = 50;

    private final Runnable sweep;
    private final ScheduledExecutorService timer;
    private @Nullable ScheduledFuture<?> running;

    Sweeper(Runnable sweep, String clientId) {
        this.sweep = sweep;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "baton-" + clientId.substring(0, 6) + "-deadlines");
            thread.setDaemon(true);
            return thread;
        });
    }

    void start() {
        running = timer.scheduleWithFixedDelay(this::run, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Passes an unexpected exception to the thread's handler, and goes on sweeping. */
    private void run() {
        try {
            sweep.run();
        } catch (RuntimeException unexpected) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, unexpected);
        }
    }

    /** Goes on sweeping until the work is done, then closes and runs the last step. */
    void closeWhen(BooleanSupplier done, Runnable last) {
        if (running == null || done.getAsBoolean()) {
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
        if (running != null) {
            running.cancel(false);
        }
        timer.shutdownNow();
    }
}
