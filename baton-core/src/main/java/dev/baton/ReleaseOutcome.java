package dev.baton;

/** What {@link Lease#release} found. */
public enum ReleaseOutcome {
    /** The lock was held until now and is free, or handed to the next in the queue. */
    RELEASED,
    /** The lease had ended before: somebody else may have held the lock since. */
    EXPIRED,
    /** There was nothing to release: released before, or taken away by force. */
    NOT_HELD,
    /** The store did not answer. The release is repeated in the background, and ends by itself with the lease. */
    UNKNOWN
}
