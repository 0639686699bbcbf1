package dev.baton.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that runs a task each time it is woken; several wakes before it runs count as one. Starts with the
 * first wake, ends with {@link #close}. Thread-safe.
 */
final class Pump implements AutoCloseable {
    private final Runnable task;
    private final String name;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean woken;
    private volatile boolean closed;

    Pump(Runnable task, String name) {
        this.task = task;
        this.name = name;
    }

    /** Never blocks: its caller is about to park, and by parking here could lose a permit from another thread. */
    void wake() {
        woken = true;
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
        } else if (!closed && started.compareAndSet(false, true)) {
            start();
        }
    }

    private void start() {
        Thread fresh = new Thread(this::run, name);
        fresh.setDaemon(true);
        thread = fresh;
        try {
            fresh.start();
        } catch (RuntimeException | Error noThread) {
            thread = null;
            started.set(false);
            throw noThread;
        }
    }

    private void run() {
        while (!closed) {
            if (woken) {
                woken = false;
                runOnce();
            } else {
                // Only unpark wakes it; an interrupt from outside has no meaning here.
                LockSupport.park(this);
                boolean unused = Thread.interrupted();
            }
        }
    }

    /** The thread survives any failure of the task, because its waiters depend on it. */
    private void runOnce() {
        try {
            task.run();
        } catch (RuntimeException | Error fault) {
            Thread me = Thread.currentThread();
            me.getUncaughtExceptionHandler().uncaughtException(me, fault);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
