package dev.baton;

/** Why a lease was lost. */
public enum LossCause {
    /** Its time was over: an explicit lease time, {@code maxHold}, or a process that could not renew while paused. */
    EXPIRED,
    /**
     * It was taken away before its time was over: by {@link Admin#forceRelease} or {@link Admin#forceReleaseNow}, or by
     * whatever else removes data at the store.
     */
    REVOKED,
    /** The store did not answer for so long that it may have let another in. */
    STORE_UNREACHABLE,
    /** This {@link Baton} was closed. */
    CLIENT_CLOSED
}
