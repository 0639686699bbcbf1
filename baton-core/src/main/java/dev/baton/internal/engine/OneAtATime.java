package dev.baton.internal.engine;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the events of one resource under its lock, one at a time, and cleans up after each. */
final class OneAtATime {
    private final ReentrantLock lock = new ReentrantLock();
    private final Runnable afterEach;

    OneAtATime(Runnable afterEach) {
        this.afterEach = afterEach;
    }

    <T extends @Nullable Object> T run(Supplier<T> event) {
        lock.lock();
        try {
            T result = event.get();
            afterEach.run();
            return result;
        } finally {
            lock.unlock();
        }
    }

    void run(Runnable event) {
        lock.lock();
        try {
            event.run();
            afterEach.run();
        } finally {
            lock.unlock();
        }
    }
}
