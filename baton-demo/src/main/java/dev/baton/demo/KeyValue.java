package dev.baton.demo;

import java.time.Duration;
import java.util.Optional;

/** The few operations of a key-value server from which people build locks. Each is atomic; two of them are not. */
public interface KeyValue extends AutoCloseable {
    Optional<String> get(String key);

    void set(String key, String value);

    /**
     * Sets what is not there.
     *
     * @param expiry when the value vanishes by itself; empty for never
     * @return whether it was set
     */
    boolean setIfAbsent(String key, String value, Optional<Duration> expiry);

    void delete(String key);

    /**
     * Deletes what has this value.
     *
     * @return whether it was deleted
     */
    boolean compareAndDelete(String key, String value);

    @Override
    void close();
}
