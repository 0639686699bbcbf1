package dev.baton.demo;

import java.time.Duration;
import java.util.Optional;

/**
 * A key-value server with a temporary delay: the first {@code set} or {@code delete} waits before it is sent. A caller
 * that read before it then acts on old data.
 */
final class SlowKeyValue implements KeyValue {
    private final KeyValue server;
    private final Runnable badMoment;
    private boolean slow = true;

    SlowKeyValue(KeyValue server, Runnable badMoment) {
        this.server = server;
        this.badMoment = badMoment;
    }

    @Override
    public Optional<String> get(String key) {
        return server.get(key);
    }

    @Override
    public void set(String key, String value) {
        haveBadMoment();
        server.set(key, value);
    }

    @Override
    public boolean setIfAbsent(String key, String value, Optional<Duration> expiry) {
        return server.setIfAbsent(key, value, expiry);
    }

    @Override
    public void delete(String key) {
        haveBadMoment();
        server.delete(key);
    }

    @Override
    public boolean compareAndDelete(String key, String value) {
        return server.compareAndDelete(key, value);
    }

    @Override
    public void close() {
        server.close();
    }

    private void haveBadMoment() {
        if (slow) {
            slow = false;
            badMoment.run();
        }
    }
}
