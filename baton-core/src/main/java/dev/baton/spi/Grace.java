package dev.baton.spi;

/**
 * A grace period of a store that may have forgotten its last writes: it grants nothing new, while clients put back the
 * holds that they have.
 *
 * @param restMicros how long it still lasts, on the store's clock; of its last part, if only parts of the store are in it
 * @param reason why it began, as text for users, such as {@code another server answers than before: a failover or a
 *     restart}
 * @param buckets how many of the {@value Protocol#BUCKETS} buckets are in it
 * @since 0.1
 */
public record Grace(long restMicros, String reason, int buckets) {
    /**
     * Returns whether all names are concerned.
     *
     * @return false if some buckets are not in it
     */
    public boolean isOfAll() {
        return buckets >= Protocol.BUCKETS;
    }
}
