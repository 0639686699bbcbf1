package dev.baton.spi;

import java.util.List;

/**
 * A resource as the store records it, at one moment.
 *
 * @param resource name, kind and capacity
 * @param stamp server and time of the read
 * @param holds present holds
 * @param tickets the queue, head first
 * @since 0.1
 */
public record ResourceView(Resource resource, Stamp stamp, List<Hold> holds, List<Ticket> tickets) {
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

        boolean is(String otherClient, long otherAttempt) {
            return attempt == otherAttempt && client.equals(otherClient);
        }

        Hold claimedUntil(long newDeadlineMicros, String newDescription) {
            return new Hold(
                    client, attempt, weight, token, newDeadlineMicros, lockDelayMicros, true, revoked, newDescription);
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

        Ticket presentUntil(long newPresentUntilMicros) {
            return new Ticket(client, attempt, weight, lockDelayMicros, newPresentUntilMicros, description, secret);
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
