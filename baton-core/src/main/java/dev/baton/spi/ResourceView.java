package dev.baton.spi;

import java.util.List;

/**
 * A resource as the store records it, at one moment.
 *
 * @param resource name, kind and capacity
 * @param stamp server and time of the read
 * @param holds present holds; one that {@linkplain Hold#isWithheld() is withheld} stands for permits of no client
 * @param tickets the queue, head first
 * @param restMicros how long nothing is granted still: the rest of a lock-delay, or of the time for which the last
 *     holder kept it after its release; 0 if neither is on
 * @since 0.1
 */
public record ResourceView(Resource resource, Stamp stamp, List<Hold> holds, List<Ticket> tickets, long restMicros) {
    /**
     * Returns how much of the capacity is granted to no client.
     *
     * @return the weight that {@link Store#withhold} set; 0 for none
     */
    public int withheld() {
        return holds.stream().filter(Hold::isWithheld).mapToInt(Hold::weight).sum();
    }

    /**
     * A hold.
     *
     * @param client the client that holds
     * @param attempt the attempt that was granted
     * @param weight its weight
     * @param token its store token
     * @param deadlineMicros when it ends without renewal, on the server's clock
     * @param lockDelayMicros how long the store grants nothing if the hold ends by itself
     * @param claimed false for a hand-off before its first heartbeat
     * @param revoked whether it was released by force
     * @param description who holds it
     */
    public record Hold(
            String client,
            long attempt,
            int weight,
            long token,
            long deadlineMicros,
            long lockDelayMicros,
            boolean claimed,
            boolean revoked,
            String description) {
        /** The client of permits that are withheld: no client has this identity. */
        public static final String NO_CLIENT = "0".repeat(32);

        /** When withheld permits would come back by themselves: in the year 2096, exact in every store. */
        private static final long FAR_MICROS = 4_000_000_000_000_000L;

        /**
         * Returns the hold that stands for permits which are granted to no client: it has no owner, and nothing renews
         * it.
         *
         * @param weight how many permits, at least 1
         * @return the hold, with token 0
         */
        public static Hold withheld(int weight) {
            return new Hold(NO_CLIENT, 0, weight, 0, FAR_MICROS, 0, true, false, "");
        }

        /**
         * Returns whether this stands for permits that are granted to no client.
         *
         * @return true if it has no owner
         */
        public boolean isWithheld() {
            return client.equals(NO_CLIENT);
        }

        boolean is(String otherClient, long otherAttempt) {
            return attempt == otherAttempt && client.equals(otherClient);
        }

        Hold claimedUntil(long newDeadlineMicros, int newWeight, String newDescription) {
            return new Hold(
                    client,
                    attempt,
                    newWeight,
                    token,
                    newDeadlineMicros,
                    lockDelayMicros,
                    true,
                    revoked,
                    newDescription);
        }

        Hold describedAs(String newDescription) {
            return new Hold(
                    client, attempt, weight, token, deadlineMicros, lockDelayMicros, claimed, revoked, newDescription);
        }

        Hold asRevoked() {
            return new Hold(
                    client, attempt, weight, token, deadlineMicros, lockDelayMicros, claimed, true, description);
        }
    }

    /**
     * A ticket.
     *
     * @param client the client that waits
     * @param attempt its attempt
     * @param weight the weight it will have
     * @param lockDelayMicros the lock-delay it will have
     * @param presentUntilMicros when it leaves the queue without a heartbeat
     * @param description who waits
     * @param secret the number that the push of its grant repeats; 0 in views
     */
    public record Ticket(
            String client,
            long attempt,
            int weight,
            long lockDelayMicros,
            long presentUntilMicros,
            String description,
            long secret) {

        boolean is(String otherClient, long otherAttempt) {
            return attempt == otherAttempt && client.equals(otherClient);
        }

        Ticket presentUntil(long newPresentUntilMicros, String newDescription) {
            return new Ticket(client, attempt, weight, lockDelayMicros, newPresentUntilMicros, newDescription, secret);
        }

        /** Returns this ticket without its secret, for views. */
        Ticket withoutSecret() {
            return new Ticket(client, attempt, weight, lockDelayMicros, presentUntilMicros, description, 0);
        }

        /** Leaves out the secret, which must not reach a log. */
        @Override
        public String toString() {
            return "Ticket[" + client + ", attempt " + attempt + ", weight " + weight + ", present until "
                    + presentUntilMicros + " us, " + description + ']';
        }
    }
}
