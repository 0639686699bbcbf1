package dev.baton.spi;

import java.util.Map;

/**
 * Opens the stores of some URI schemes; found by {@link java.util.ServiceLoader}. Thread-safe.
 *
 * @since 0.1
 */
public interface StoreProvider {
    /**
     * The schemes it serves, and what the store behind each can do.
     *
     * @return capabilities by schemes in lower case; one that contains a colon ({@code jdbc:sqlite}) is compared with
     *     the URI's start
     */
    Map<String, Capabilities> schemes();

    /**
     * Connects, checks that the store is fit and that the namespace has this protocol version.
     *
     * @param config what to open
     * @return a connected store of the caller's
     * @throws StoreFailure if it cannot be reached, refuses this user, or must not be used as it is; its reason says
     *     which, and the message what to change
     * @throws IllegalArgumentException if the URI is malformed
     */
    Store open(StoreConfig config) throws StoreFailure;
}
