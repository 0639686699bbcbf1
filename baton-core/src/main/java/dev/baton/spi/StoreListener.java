package dev.baton.spi;

/**
 * Receives events that a store reports without being asked. Implementations return quickly and never block.
 *
 * @since 0.1
 */
public interface StoreListener {
    /**
     * Called when the store pushed a grant.
     *
     * @param push the hint
     */
    void onPush(Push push);

    /**
     * Called if pushes may have been missed (a new connection or subscription): the client asks about everything again.
     */
    void onReconnect();
}
