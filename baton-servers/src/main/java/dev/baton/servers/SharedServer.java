package dev.baton.servers;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one server that all tests of this JVM share, started at the first call, or the reason why there is none: every test
 * is told, not only the first. Thread-safe.
 *
 * @param <S> the server
 */
final class SharedServer<S> {
    private final String name;
    private final Supplier<S> start;
    private final ReentrantLock guard = new ReentrantLock();
    private @Nullable S server;
    private @Nullable RuntimeException failure;

    SharedServer(String name, Supplier<S> start) {
        this.name = name;
        this.start = start;
    }

    /**
     * Returns the server.
     *
     * @throws IllegalStateException if it does not start
     */
    S get() {
        guard.lock();
        try {
            if (server == null && failure == null) {
                begin();
            }
            S running = server;
            if (running == null) {
                throw new IllegalStateException(name + " does not start: " + failure, failure);
            }
            return running;
        } finally {
            guard.unlock();
        }
    }

    private void begin() {
        try {
            server = start.get();
        } catch (RuntimeException e) {
            failure = e;
        }
    }
}
