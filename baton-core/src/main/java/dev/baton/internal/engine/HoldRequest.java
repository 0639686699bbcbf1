package dev.baton.internal.engine;

/**
 * A caller's terms for a hold.
 *
 * @param leaseNanos the lease time
 * @param explicit whether the hold ends with it; otherwise the watchdog renews the hold
 * @param maxHoldNanos limit of renewal; 0 for none
 * @param lockDelayNanos lock-delay after a failure; 0 for none
 * @param interruptOnLoss whether a loss interrupts the acquiring thread
 */
public record HoldRequest(
        long leaseNanos, boolean explicit, long maxHoldNanos, long lockDelayNanos, boolean interruptOnLoss) {

    /** The lease to ask the store for: a hold that ends at {@code maxHold} need not block others for longer. */
    long firstLeaseNanos() {
        return maxHoldNanos > 0 ? Math.min(leaseNanos, maxHoldNanos) : leaseNanos;
    }
}
