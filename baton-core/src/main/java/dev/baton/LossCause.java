package dev.baton;

/** Why a lease was lost. */
public enum LossCause {
    /** Its time was over: an explicit lease time, {@code maxHold}, or a process that could not renew while paused. */
    EXPIRED,
    /** Somebody used {@link Admin#forceRelease}. */
    REVOKED,
    /** The store did not answer for so long that it may have let another in. */
    STORE_UNREACHABLE,
    /** This {@link Baton} was closed. */
    CLIENT_CLOSED
}
