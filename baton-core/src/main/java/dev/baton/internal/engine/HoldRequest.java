package dev.baton.internal.engine;

/**
 * A caller's terms for a hold.
 *
 * @param weight how much of the resource's capacity it takes
 * @param shared whether callers of this client with the same terms may have one hold together
 * @param leaseNanos the lease time
 * @param explicit whether the hold ends with it; otherwise the watchdog renews the hold
 * @param maxHoldNanos limit of renewal; 0 for none
 * @param lockDelayNanos lock-delay after a failure; 0 for none
 * @param interruptOnLoss whether a loss interrupts the acquiring thread
 * @param atLeastNanos for how long from its grant the resource is kept, even if it is released sooner; 0 for none
 */
public record HoldRequest(
        int weight,
        boolean shared,
        long leaseNanos,
        boolean explicit,
        long maxHoldNanos,
        long lockDelayNanos,
        boolean interruptOnLoss,
        long atLeastNanos) {

    /** Creates the terms for a lock: weight 1, not shared. */
    public HoldRequest(
            long leaseNanos, boolean explicit, long maxHoldNanos, long lockDelayNanos, boolean interruptOnLoss) {
        this(1, false, leaseNanos, explicit, maxHoldNanos, lockDelayNanos, interruptOnLoss, 0);
    }

    /** Whether a hold with these terms suits a caller with those: all but what concerns the caller alone. */
    boolean suits(HoldRequest next) {
        return next.weight == weight
                && next.shared == shared
                && next.leaseNanos == leaseNanos
                && next.explicit == explicit
                && next.maxHoldNanos == maxHoldNanos
                && next.lockDelayNanos == lockDelayNanos;
    }

    /** The terms of a reader that was a writer. */
    HoldRequest asReader() {
        return new HoldRequest(1, true, leaseNanos, explicit, maxHoldNanos, lockDelayNanos, interruptOnLoss, 0);
    }

    /** The lease to ask the store for: a hold that ends at {@code maxHold} need not block others for longer. */
    long firstLeaseNanos() {
        return maxHoldNanos > 0 ? Math.min(leaseNanos, maxHoldNanos) : leaseNanos;
    }
}
