package dev.baton.internal.work;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A duty on a thread of its own, which closing it interrupts. Thread-safe. */
abstract class ThreadDuty implements Duty {
    private final Host host;
    private final String threadName;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    ThreadDuty(Host host, String threadName) {
        this.host = host;
        this.threadName = threadName;
    }

    /** Does the duty, on its thread, until {@link #isOver}. */
    abstract void work();

    @Override
    public final void start(Runnable onEnd) {
        thread = host.start(threadName, () -> {
            try {
                work();
            } finally {
                onEnd.run();
                end.complete(null);
            }
        });
    }

    /** Returns a future of its own for each caller, which completes on the duty's thread when that has ended. */
    final CompletableFuture<Void> end() {
        return end.copy();
    }

    final boolean isOver() {
        return closed || host.isClosed();
    }

    /** Returns the next pause between attempts: doubled, up to a limit. */
    static Duration longer(Duration pause, Duration longest) {
        Duration next = pause.multipliedBy(2);
        return next.compareTo(longest) < 0 ? next : longest;
    }

    /** Ends the duty when its thread looks for that the next time. */
    final void endSoon() {
        closed = true;
    }

    /** Does not interrupt user code that the duty's own thread runs, and that closes it. */
    @Override
    public void close() {
        endSoon();
        Thread other = otherThread();
        if (other != null) {
            other.interrupt();
        }
    }

    @Override
    public final void join(Duration time) throws InterruptedException {
        Thread other = otherThread();
        if (other != null) {
            other.join(Math.max(1, time.toMillis()));
        }
    }

    /** Returns the duty's thread; null if it has none yet, or the caller runs on it. */
    private @Nullable Thread otherThread() {
        Thread working = thread;
        return working == Thread.currentThread() ? null : working;
    }

    /** Returns whether the caller runs on the duty's thread. */
    final boolean isHere() {
        return thread == Thread.currentThread();
    }
}
