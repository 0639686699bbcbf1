package dev.baton.demo;

import java.time.Duration;
import java.util.Optional;

/** The few operations of a key-value server from which users build locks. Each is atomic; two in a row are not. */
public interface KeyValue extends AutoCloseable {
    Optional<String> get(String key);

    void set(String key, String value);

    /**
     * Sets a key that does not exist.
     *
     * @param expiry after which the value is deleted automatically; empty for never
     * @return whether it was set
     */
    boolean setIfAbsent(String key, String value, Optional<Duration> expiry);

    void delete(String key);

    /**
     * Deletes a key if it has this value.
     *
     * @return whether it was deleted
     */
    boolean compareAndDelete(String key, String value);

    @Override
    void close();
}
