package dev.baton.spi;

/**
 * What a command needs to know and to record beyond its resource, at the moment it runs. Not thread-safe.
 *
 * @since 0.1
 */
public interface Ledger {
    /**
     * Server and time; the same at every call during one command.
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
     * Raises the bucket's high water, for a token that comes back by reclaim.
     *
     * @param token the token to stay above
     */
    void raiseHighWater(long token);

    /**
     * Whether an attempt can never be granted any more.
     *
     * @param client the client
     * @param attempt its attempt, neither held nor queued
     * @return true if it was granted, released or cancelled before, or is older than one that was
     */
    boolean isFinished(String client, long attempt);

    /**
     * Whether a heartbeat is older than the client's last release or cancel.
     *
     * @param client the client
     * @param number the heartbeat's number
     * @return true if it must not put anything back
     */
    boolean isOutdated(String client, long number);

    /**
     * A hold was granted or put back: its attempt is used up.
     *
     * @param client the client
     * @param attempt its attempt
     */
    void recordGrant(String client, long attempt);

    /**
     * A release or cancel came.
     *
     * @param client the client
     * @param attempt the attempt it names
     * @param number the command's own number
     */
    void recordEnd(String client, long attempt, long number);

    /**
     * A ticket became a hold: tell its client.
     *
     * @param resource the resource
     * @param hold the hold
     * @param secret the ticket's secret, to be repeated by the push
     */
    void handedOff(Resource resource, ResourceView.Hold hold, long secret);
}
