package dev.baton;

/**
 * Why a lease was lost.
 *
 * @since 0.1
 */
public enum LossCause {
    /** The lease time or {@code maxHold} ended, or the process was paused and could not renew the lease. */
    EXPIRED,
    /**
     * The lease was revoked before its time ended: by {@link Admin#forceRelease}, by {@link Admin#forceReleaseNow}, or
     * because data was removed from the store.
     */
    REVOKED,
    /** The store did not answer for so long that it may have granted the lock to another. */
    STORE_UNREACHABLE,
    /** This {@link Baton} was closed. */
    CLIENT_CLOSED
}
