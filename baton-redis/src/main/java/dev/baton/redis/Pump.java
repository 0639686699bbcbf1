package dev.baton.redis;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that runs a task each time it is woken; several wakes before it gets to run are one. Starts with the
 * first wake, ends with {@link #close}. Thread-safe.
 */
final class Pump implements AutoCloseable {
    private final Runnable task;
    private final String name;
    private final ReentrantLock starting = new ReentrantLock();
    private volatile @Nullable Thread thread;
    private volatile boolean woken;
    private volatile boolean closed;

    Pump(Runnable task, String name) {
        this.task = task;
        this.name = name;
    }

    void wake() {
        woken = true;
        Thread running = thread;
        if (running == null) {
            start();
        } else {
            LockSupport.unpark(running);
        }
    }

    private void start() {
        starting.lock();
        try {
            if (thread == null && !closed) {
                Thread started = new Thread(this::run, name);
                started.setDaemon(true);
                started.start();
                thread = started;
            } else if (thread != null) {
                LockSupport.unpark(thread);
            }
        } finally {
            starting.unlock();
        }
    }

    private void run() {
        while (!closed) {
            if (woken) {
                woken = false;
                task.run();
            } else {
                // Woken by unpark alone; an interrupt from outside has no meaning here.
                LockSupport.park(this);
                boolean unused = Thread.interrupted();
            }
        }
    }

    @Override
    public void close() {
        starting.lock();
        try {
            closed = true;
            LockSupport.unpark(thread);
        } finally {
            starting.unlock();
        }
    }
}
