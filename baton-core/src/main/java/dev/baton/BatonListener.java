package dev.baton;

/**
 * Hears of everything that happens to the locks of a client; metrics, logs and tests hang on it. Called on the
 * callback executor; exceptions are logged and go no further.
 */
@FunctionalInterface
public interface BatonListener {
    /**
     * Something happened.
     *
     * @param event what
     */
    void onEvent(BatonEvent event);
}
