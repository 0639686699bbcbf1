package dev.baton.tck.sim;

/** The faults of a simulation. */
public enum Fault {
    /** Messages take up to two leases. */
    DELAY,
    /** Messages in both directions, and pushes, get lost. */
    LOSS,
    /** Requests arrive twice, the second time up to two leases later. */
    DUPLICATION,
    /** Messages overtake each other. */
    REORDER,
    /** Clients are paused for up to three leases; their clocks go on. */
    PAUSE,
    /** Clients' machines sleep: the monotonic clock stops, the wall clock does not. */
    SLEEP,
    /** Clients die and are started again. */
    CRASH,
    /** Clients' clocks run up to 0.9 % fast or slow. */
    DRIFT,
    /** Clients' wall clocks are set forward and back. */
    CLIENT_CLOCK_STEP,
    /** The server is paused for up to two leases. */
    SERVER_PAUSE,
    /** The server's clock is set back. */
    SERVER_CLOCK_BACK,
    /** The server's clock is set forward: leases end early, and no client can know. */
    SERVER_CLOCK_FORWARD,
    /** The server dies and a replica that lags behind takes over, with a clock a little off. */
    FAILOVER,
    /** The server is restarted and has lost its last writes. */
    LOST_TAIL,
    /** A replica takes over with the old server's clock, but the old server lives on and still serves some clients. */
    OLD_PRIMARY;

    /** Returns whether two clients never believe in one lock at once under this fault. */
    public boolean keepsBeliefApart() {
        return this != SERVER_CLOCK_FORWARD && this != OLD_PRIMARY;
    }

    /**
     * Returns whether tokens grow and stale writes are refused under this fault. Two servers in office at once draw the
     * same token if they grant within the same sixteenth of a millisecond.
     */
    public boolean keepsTokensApart() {
        return this != OLD_PRIMARY;
    }
}
