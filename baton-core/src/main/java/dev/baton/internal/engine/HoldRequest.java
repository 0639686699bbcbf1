package dev.baton.internal.engine;

/**
 * How a caller wants to hold.
 *
 * @param leaseNanos the lease time
 * @param explicit whether it ends there; otherwise the watchdog renews
 * @param maxHoldNanos limit to renewal; 0 for none
 * @param lockDelayNanos lock-delay after a failure; 0 for none
 * @param interruptOnLoss whether a loss interrupts the acquiring thread
 */
public record HoldRequest(
        long leaseNanos, boolean explicit, long maxHoldNanos, long lockDelayNanos, boolean interruptOnLoss) {

    /** The lease to ask the store for: what is given up after {@code maxHold} need not block others for longer. */
    long firstLeaseNanos() {
        return maxHoldNanos > 0 ? Math.min(leaseNanos, maxHoldNanos) : leaseNanos;
    }
}
