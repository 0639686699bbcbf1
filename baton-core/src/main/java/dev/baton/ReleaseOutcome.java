package dev.baton;

/**
 * The outcome of {@link Lease#release}.
 *
 * @since 0.1
 */
public enum ReleaseOutcome {
    /** The lock was held until now. It is free, or handed to the next waiter. */
    RELEASED,
    /** The lease had ended before. Another may have held the lock since. */
    EXPIRED,
    /** There was nothing to release: the lease was released before, or revoked. */
    NOT_HELD,
    /**
     * The store did not answer. The client repeats the release in the background; the hold ends with its lease at the
     * latest.
     */
    UNKNOWN
}
