package dev.baton.spi;

import java.util.List;

/**
 * One client's sign of life for many holds and tickets. Each entry is worked on atomically, the batch need not be.
 *
 * @param number drawn before the first entry was listed, so that a release sent since has a greater one
 * @param holds what the client holds
 * @param tickets what it queues for
 * @since 0.1
 */
public record Heartbeat(CommandNumber number, List<Hold> holds, List<Ticket> tickets) {

    /**
     * A hold, with all that is needed to put it back in a grace period.
     *
     * @param resource what is held
     * @param attempt the attempt that was granted
     * @param token its store token
     * @param weight its weight
     * @param leaseMicros its lease time
     * @param lockDelayMicros its lock-delay
     * @param extend whether the deadline moves to now + lease, never back; otherwise the hold is only confirmed, which
     *     starts the lease of a hand-off and changes nothing else
     * @param description who holds it now, for people: it takes the place of what the store had
     */
    public record Hold(
            Resource resource,
            long attempt,
            long token,
            int weight,
            long leaseMicros,
            long lockDelayMicros,
            boolean extend,
            String description) {}

    /**
     * A ticket.
     *
     * @param resource what is waited for
     * @param attempt the attempt that queues
     */
    public record Ticket(Resource resource, long attempt) {}

    /**
     * The answer.
     *
     * @param stamp server and time
     * @param holds one answer per hold, in the order asked
     * @param tickets one answer per ticket, in the order asked
     */
    public record Reply(Stamp stamp, List<HoldReply> holds, List<TicketReply> tickets) {}

    /** What became of a hold. */
    public sealed interface HoldReply {}

    /**
     * The hold stands.
     *
     * @param deadlineMicros its deadline on the server's clock
     * @param contended whether tickets queue for the resource; true where a store with a queue does not know
     */
    public record Renewed(long deadlineMicros, boolean contended) implements HoldReply {}

    /**
     * The hold is over, and was not re-created.
     *
     * @param reason why
     */
    public record Lost(Reason reason) implements HoldReply {}

    /**
     * The hold was neither renewed nor found lost. Send another heartbeat: this one is older than the client's last release
     * or cancel, which counts in a grace period, or the store could not work on the name in time.
     */
    public record AskAgain() implements HoldReply {}

    /** Why a hold is over. */
    public enum Reason {
        /** Its deadline passed, or the store knows nothing of it. */
        EXPIRED,
        /** Somebody used force. */
        REVOKED
    }

    /** What became of a ticket. */
    public sealed interface TicketReply {}

    /**
     * Still in the queue.
     *
     * @param position how many tickets are ahead
     * @param remainingMicros how long the present holders may stay without renewal, or what is left of a lock-delay; 0
     *     if the store does not know
     */
    public record Waiting(int position, long remainingMicros) implements TicketReply {}

    /**
     * The ticket became a hold.
     *
     * @param token its store token
     * @param deadlineMicros its deadline on the server's clock; the claim window's end until the hold's first heartbeat
     */
    public record TicketGranted(long token, long deadlineMicros) implements TicketReply {}

    /** Not in the queue and not held: take a new attempt. */
    public record Gone() implements TicketReply {}
}
