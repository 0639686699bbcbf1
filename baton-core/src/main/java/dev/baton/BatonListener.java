package dev.baton;

/**
 * Receives the events of a client, for metrics, logs and tests. One dedicated thread of the client calls it, one event
 * after the other. The client logs exceptions of the listener, and goes on. Events of different locks may arrive in
 * another order than they happened.
 *
 * <p>A slow listener delays later events, and nothing else. While 10,000 events wait for it, the client drops
 * further ones, logs a warning, and reports their number in a {@link BatonEvent.Type#EVENTS_DROPPED} event as soon as
 * the listener has caught up by half.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface BatonListener {
    /**
     * Receives an event.
     *
     * @param event the event
     */
    void onEvent(BatonEvent event);
}
