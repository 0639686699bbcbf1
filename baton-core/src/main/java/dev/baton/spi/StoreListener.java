package dev.baton.spi;

/**
 * Where a store tells its client what it was not asked. Calls return quickly and never block.
 *
 * @since 0.1
 */
public interface StoreListener {
    /**
     * A grant was pushed.
     *
     * @param push the hint
     */
    void onPush(Push push);

    /** Pushes may have been missed (a new connection, a new subscription): everything is to be asked again. */
    void onReconnect();
}
