package dev.baton.spi;

import java.util.List;

/**
 * Asks for a hold.
 *
 * @param resource what to hold
 * @param attempt the attempt's number: idempotent at stores with {@link Capabilities#idempotentAttempts()}
 * @param weight how much of the capacity
 * @param leaseMicros how long the hold lives without renewal
 * @param lockDelayMicros how long nothing is granted after this holder failed; 0 for none
 * @param description who asks, for people
 * @param mode what to do if it is not free
 * @param secret a random number that the client draws for this attempt; 0 in mode {@link Mode#TRY}. The store keeps it
 *     with the ticket, where only those who may read the store's data see it, and repeats it in the {@link Push} of the
 *     grant: a push without it proves nothing
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
     * The same, but for what to do if there is no room.
     *
     * @param other what to do then
     * @return the command for it
     */
    public Acquire withMode(Mode other) {
        return new Acquire(resource, attempt, weight, leaseMicros, lockDelayMicros, description, other, secret);
    }

    /** What to do if there is no room. */
    public enum Mode {
        /** Answer {@link Held} and leave nothing behind. */
        TRY,
        /** Take a ticket at the end of the queue. */
        QUEUE
    }

    /** The answers. */
    public sealed interface Reply {
        /**
         * Server and time.
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
     * Somebody else has it, or queues for it, and the mode was {@link Mode#TRY}.
     *
     * @param stamp server and time
     * @param holders descriptions of the present holders; empty where only a queue or a lock-delay stands in the way
     * @param remainingMicros how long the present holders may stay without renewal
     * @param queued how many tickets wait
     */
    public record Held(Stamp stamp, List<String> holders, long remainingMicros, int queued) implements Reply {}

    /**
     * The number is used up: take a new one.
     *
     * @param stamp server and time
     */
    public record Stale(Stamp stamp) implements Reply {}

    /**
     * The name stands for something else.
     *
     * @param stamp server and time
     * @param kind the recorded kind
     * @param capacity the recorded capacity
     */
    public record Mismatch(Stamp stamp, Kind kind, int capacity) implements Reply {}

    /**
     * A grace period is on and the mode was {@link Mode#TRY}: nobody can know yet whether it is held.
     *
     * @param stamp server and time, with what is left of the grace period
     */
    public record Recovering(Stamp stamp) implements Reply {}
}
