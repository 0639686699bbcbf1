package dev.baton.spi;

/**
 * The facts that a running command reads and records beyond its resource. Not thread-safe.
 *
 * @since 0.1
 */
public interface Ledger {
    /**
     * Returns server and time; the same at every call during one command.
     *
     * @return the stamp
     */
    Stamp stamp();

    /**
     * Draws the next store token of the resource's bucket and raises its high water to it.
     *
     * @return a token greater than all before it
     */
    long nextToken();

    /**
     * Raises the bucket's high water to a token that a reclaim restores.
     *
     * @param token later tokens must be greater
     */
    void raiseHighWater(long token);

    /**
     * Returns whether an attempt can never be granted any more.
     *
     * @param client the client
     * @param attempt its attempt, neither held nor queued
     * @return true if it was granted, released or cancelled before, or is older than one that was
     */
    boolean isFinished(String client, long attempt);

    /**
     * Returns whether a heartbeat is older than the client's last release or cancel.
     *
     * @param client the client
     * @param number the heartbeat's number
     * @return true if it must not restore any hold
     */
    boolean isOutdated(String client, long number);

    /**
     * Records that a hold was granted or restored: its attempt is used up.
     *
     * @param client the client
     * @param attempt its attempt
     */
    void recordGrant(String client, long attempt);

    /**
     * Records that a release or cancel arrived.
     *
     * @param client the client
     * @param attempt the attempt it names
     * @param number the command's own number
     */
    void recordEnd(String client, long attempt, long number);

    /**
     * Called when a ticket became a hold. A store that pushes grants tells the ticket's client.
     *
     * @param resource the resource
     * @param hold the hold
     * @param secret the ticket's secret, which the push must repeat
     */
    void handedOff(Resource resource, ResourceView.Hold hold, long secret);
}
