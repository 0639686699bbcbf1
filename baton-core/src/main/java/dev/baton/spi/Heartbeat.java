package dev.baton.spi;

import java.util.List;

/**
 * One client's heartbeat for many holds and tickets. The store works on each entry atomically; the batch need not be
 * atomic.
 *
 * @param number drawn before the first entry was listed, so that every later release has a greater number
 * @param holds the client's holds
 * @param tickets the client's tickets
 * @since 0.1
 */
public record Heartbeat(CommandNumber number, List<Hold> holds, List<Ticket> tickets) {

    /**
     * A hold, with everything that is needed to restore it in a grace period.
     *
     * @param resource the held resource
     * @param attempt the attempt that was granted
     * @param token its store token
     * @param weight its weight. A smaller one than the store has lowers that, and the queue's head is granted if it fits
     *     now: a writer has become a reader. A greater one changes nothing
     * @param leaseMicros its lease time
     * @param lockDelayMicros its lock-delay
     * @param extend whether the deadline moves to now + lease, never back; otherwise the hold is only confirmed, which
     *     starts the lease of a hand-off and changes nothing else
     * @param description who holds it now, as text for users; replaces the description that the store had
     * @param restorable whether a store in a grace period restores the hold if it does not have it. If not, it answers
     *     {@link AskAgain}: a hand-off that replicas have not confirmed may be of an earlier server, and another holder
     *     may live here
     */
    public record Hold(
            Resource resource,
            long attempt,
            long token,
            int weight,
            long leaseMicros,
            long lockDelayMicros,
            boolean extend,
            String description,
            boolean restorable) {
        /**
         * Creates the entry of a hold that may be restored.
         *
         * @param resource the held resource
         * @param attempt the attempt that was granted
         * @param token its store token
         * @param weight its weight
         * @param leaseMicros its lease time
         * @param lockDelayMicros its lock-delay
         * @param extend whether the deadline moves
         * @param description who holds it now
         */
        public Hold(
                Resource resource,
                long attempt,
                long token,
                int weight,
                long leaseMicros,
                long lockDelayMicros,
                boolean extend,
                String description) {
            this(resource, attempt, token, weight, leaseMicros, lockDelayMicros, extend, description, true);
        }
    }

    /**
     * A ticket.
     *
     * @param resource the resource that the client waits for
     * @param attempt the attempt that queues
     * @param description who waits now, as text for users; replaces the description that the store had, also if the ticket
     *     has become a hold. Empty if that one is still right
     */
    public record Ticket(Resource resource, long attempt, String description) {
        /**
         * Creates the entry of a ticket whose description at the store is right.
         *
         * @param resource the resource that the client waits for
         * @param attempt the attempt that queues
         */
        public Ticket(Resource resource, long attempt) {
            this(resource, attempt, "");
        }

        /**
         * Returns the description that the store is to have after this heartbeat.
         *
         * @param before the one that it has
         * @return the one of this entry, unless this entry has none
         */
        public String describes(String before) {
            return description.isEmpty() ? before : description;
        }
    }

    /**
     * The answer.
     *
     * @param stamp server and time
     * @param holds one answer per hold, in the order asked
     * @param tickets one answer per ticket, in the order asked
     * @param fromMemory whether the store answered from what it had heard before, without a request. Such an answer is no
     *     sign that the server lives: neither does it end a silence of the server, nor does it delay its discovery
     */
    public record Reply(Stamp stamp, List<HoldReply> holds, List<TicketReply> tickets, boolean fromMemory) {
        /**
         * Creates the answer of a server that was asked.
         *
         * @param stamp server and time
         * @param holds one answer per hold, in the order asked
         * @param tickets one answer per ticket, in the order asked
         */
        public Reply(Stamp stamp, List<HoldReply> holds, List<TicketReply> tickets) {
            this(stamp, holds, tickets, false);
        }
    }

    /** The answer for one hold. */
    public sealed interface HoldReply {}

    /**
     * The hold still exists.
     *
     * @param deadlineMicros its deadline on the server's clock
     * @param contended whether tickets queue for the resource; true if a store with a queue does not know
     */
    public record Renewed(long deadlineMicros, boolean contended) implements HoldReply {}

    /**
     * The hold is over, and was not re-created.
     *
     * @param reason why
     */
    public record Lost(Reason reason) implements HoldReply {}

    /**
     * The hold was neither renewed nor found lost, so the client must send another heartbeat. In a grace period this
     * heartbeat is older than the client's last release or cancel, or the hold is missing and not restorable. Or the
     * store could not work on the name in time.
     */
    public record AskAgain() implements HoldReply {}

    /** Why a hold is over. */
    public enum Reason {
        /** Its deadline passed, or the store does not know it. */
        EXPIRED,
        /** It was released by force. */
        REVOKED
    }

    /** The answer for one ticket. */
    public sealed interface TicketReply {}

    /**
     * The ticket is still in the queue.
     *
     * @param position how many tickets are ahead
     * @param remainingMicros how long the present holders may stay without renewal, or the rest of a lock-delay; 0 if
     *     the store does not know
     */
    public record Waiting(int position, long remainingMicros) implements TicketReply {}

    /**
     * The ticket became a hold.
     *
     * @param token its store token
     * @param deadlineMicros its deadline on the server's clock; until the hold's first heartbeat, the end of the claim
     *     window
     */
    public record TicketGranted(long token, long deadlineMicros) implements TicketReply {}

    /** The ticket is neither queued nor held: the client must begin a new attempt. */
    public record Gone() implements TicketReply {}
}
