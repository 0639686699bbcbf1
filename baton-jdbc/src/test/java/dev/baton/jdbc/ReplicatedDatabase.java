package dev.baton.jdbc;

/** A primary and its replica, behind an address that follows the primary. */
interface ReplicatedDatabase extends AutoCloseable {
    /** Returns the address. */
    String uri();

    /** Waits until the replica has all commits, and keeps later ones from it: a failover will lose them. */
    void stopReplication();

    /** Starts a replica of the present primary, for the next failover. */
    void replicateAgain();

    /** Kills the primary, makes the replica the primary, and has the address lead to it. */
    void failOver();

    @Override
    void close();
}
