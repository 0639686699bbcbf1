package dev.baton;

/**
 * Hears of everything that happens to the locks of a client; metrics, logs and tests hang on it. One thread of the
 * client's calls it, one event after the other, and does nothing else; exceptions are logged and go no further. Events of
 * different locks may come in another order than they happened.
 *
 * <p>A listener that does not keep up delays nothing but later events. While 10,000 events wait for it, the client drops
 * further ones, logs a warning, and reports their number in a {@link BatonEvent.Type#EVENTS_DROPPED} event as soon as the
 * listener has caught up by half.
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
