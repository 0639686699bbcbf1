package dev.baton.spi;

import java.util.List;

/**
 * Asks for a hold.
 *
 * @param resource the resource to hold
 * @param attempt number of the attempt; a store with {@link Capabilities#idempotentAttempts()} takes a repeated number
 *     for the same attempt
 * @param weight how much of the capacity the hold takes
 * @param leaseMicros how long the hold lives without renewal
 * @param lockDelayMicros how long the store grants nothing after this holder fails; 0 for none
 * @param description who asks, as text for users
 * @param mode what the store does if there is no room
 * @param secret a random number that the client draws for this attempt; 0 in mode {@link Mode#TRY}. The store keeps it
 *     with the ticket, where only users with read access to the store's data can see it, and repeats it in the
 *     {@link Push} of the grant. A push without it proves nothing
 * @since 0.1
 */
public record Acquire(
        Resource resource,
        CommandNumber attempt,
        int weight,
        long leaseMicros,
        long lockDelayMicros,
        String description,
        Mode mode,
        long secret) {

    /**
     * Returns this command with another mode.
     *
     * @param other the mode
     * @return the new command
     */
    public Acquire withMode(Mode other) {
        return new Acquire(resource, attempt, weight, leaseMicros, lockDelayMicros, description, other, secret);
    }

    /** What the store does if there is no room. */
    public enum Mode {
        /** Answer {@link Held} and store nothing. */
        TRY,
        /** Put a ticket at the end of the queue. */
        QUEUE
    }

    /** The store's answer. */
    public sealed interface Reply {
        /**
         * Returns the server that answered, and its time.
         *
         * @return the stamp of the answer
         */
        Stamp stamp();
    }

    /**
     * The hold exists, with its full lease.
     *
     * @param stamp server and time
     * @param token store token, greater than that of every earlier exclusive grant
     * @param deadlineMicros when the hold ends without renewal, on the server's clock
     */
    public record Granted(Stamp stamp, long token, long deadlineMicros) implements Reply {}

    /**
     * The ticket is in the queue.
     *
     * @param stamp server and time
     * @param position how many tickets are ahead
     * @param remainingMicros how long the present holders may stay without renewal
     */
    public record Queued(Stamp stamp, int position, long remainingMicros) implements Reply {}

    /**
     * There is no room, because the resource is held, waited for or in a lock-delay, and the mode was {@link Mode#TRY}.
     *
     * @param stamp server and time
     * @param holders descriptions of the present holders; empty if only a queue or a lock-delay is in the way
     * @param remainingMicros how long the present holders may stay without renewal
     * @param queued how many tickets wait
     */
    public record Held(Stamp stamp, List<String> holders, long remainingMicros, int queued) implements Reply {}

    /**
     * The attempt's number is used up: the client must take a new one.
     *
     * @param stamp server and time
     */
    public record Stale(Stamp stamp) implements Reply {}

    /**
     * The name is recorded with another kind or capacity.
     *
     * @param stamp server and time
     * @param kind the recorded kind
     * @param capacity the recorded capacity
     */
    public record Mismatch(Stamp stamp, Kind kind, int capacity) implements Reply {}

    /**
     * The request is for more permits than there are, because some are withheld: it can never succeed until they are
     * granted again.
     *
     * @param stamp server and time
     * @param permits how many there are
     */
    public record Unfit(Stamp stamp, int permits) implements Reply {}

    /**
     * A grace period is on and the mode was {@link Mode#TRY}: the store cannot know yet whether the resource is held.
     *
     * @param stamp server and time, with the rest of the grace period
     */
    public record Recovering(Stamp stamp) implements Reply {}
}
