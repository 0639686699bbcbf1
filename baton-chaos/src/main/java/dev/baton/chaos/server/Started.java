package dev.baton.chaos.server;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that is started when it is first asked for. Thread-safe.
 *
 * @param <S> the server
 */
final class Started<S extends AutoCloseable> implements Supplier<S>, AutoCloseable {
    private final Supplier<S> start;
    private final ReentrantLock guard = new ReentrantLock();
    private @Nullable S server;

    Started(Supplier<S> start) {
        this.start = start;
    }

    @Override
    public S get() {
        guard.lock();
        try {
            S running = server;
            if (running == null) {
                running = start.get();
                server = running;
            }
            return running;
        } finally {
            guard.unlock();
        }
    }

    /** Ends the server, and takes another in its place. */
    void use(S other) {
        guard.lock();
        try {
            end();
            server = other;
        } finally {
            guard.unlock();
        }
    }

    private void end() {
        S running = server;
        try {
            if (running != null) {
                running.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException("a server cannot be closed", e);
        }
    }

    @Override
    public void close() {
        guard.lock();
        try {
            end();
        } finally {
            guard.unlock();
        }
    }
}
