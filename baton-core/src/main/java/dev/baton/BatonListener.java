package dev.baton;

/**
 * Hears of everything that happens to the locks of a client; metrics, logs and tests hang on it. Called on the
 * callback executor, by several threads at once and not always in the order in which things happened; exceptions are
 * logged and go no further. A listener that does not keep up misses events.
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
