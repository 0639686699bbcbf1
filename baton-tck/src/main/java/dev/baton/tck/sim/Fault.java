package dev.baton.tck.sim;

/** What may go wrong in a simulation. */
public enum Fault {
    /** Messages take up to two leases. */
    DELAY,
    /** Messages of either direction, and pushes, get lost. */
    LOSS,
    /** Requests arrive twice, the second time up to two leases later. */
    DUPLICATION,
    /** Messages overtake each other. */
    REORDER,
    /** Clients stand still for up to three leases, with their clocks running. */
    PAUSE,
    /** Clients' machines sleep: the monotonic clock stands still, the wall clock does not. */
    SLEEP,
    /** Clients die and are started anew. */
    CRASH,
    /** Clients' clocks run up to 0.9 % fast or slow. */
    DRIFT,
    /** Clients' wall clocks are set forward and back. */
    CLIENT_CLOCK_STEP,
    /** The server stands still for up to two leases. */
    SERVER_PAUSE,
    /** The server's clock is set back. */
    SERVER_CLOCK_BACK,
    /** The server's clock is set forward: leases end early, and nobody can know. */
    SERVER_CLOCK_FORWARD,
    /** The server dies and a replica that lags behind takes over, with a clock a little off. */
    FAILOVER,
    /** The server is restarted and has lost its last writes. */
    LOST_TAIL,
    /** A replica takes over, its clock as the old server's; but that one lives on and goes on serving some clients. */
    OLD_PRIMARY;

    /** Whether two clients never believe in one lock at once under it. */
    public boolean keepsBeliefApart() {
        return this != SERVER_CLOCK_FORWARD && this != OLD_PRIMARY;
    }

    /**
     * Whether tokens grow and stale writes are refused under it. Two servers in office at once draw the same token if
     * they grant within the same sixteenth of a millisecond.
     */
    public boolean keepsTokensApart() {
        return this != OLD_PRIMARY;
    }
}
