package dev.baton.spi;

import java.util.Map;

/**
 * Opens the stores of some URI schemes; found by {@link java.util.ServiceLoader}. Thread-safe.
 *
 * @since 0.1
 */
public interface StoreProvider {
    /**
     * Returns the schemes that it serves, and the capabilities of the store behind each.
     *
     * @return capabilities by scheme, in lower case; a scheme that contains a colon ({@code jdbc:sqlite}) is compared
     *     with the start of the URI
     */
    Map<String, Capabilities> schemes();

    /**
     * Connects, and checks that the store is fit and that the namespace has this protocol version.
     *
     * @param config the settings
     * @return a connected store, which the caller must close
     * @throws StoreFailure if it cannot be reached, refuses this user, or must not be used as it is; its reason says
     *     which, and its message what to change
     * @throws IllegalArgumentException if the URI is malformed, or the store cannot use a driver object
     */
    Store open(StoreConfig config) throws StoreFailure;
}
