package dev.baton.spi;

/**
 * A hint that a ticket became a hold. It may be lost, late, duplicated, forged, or sent by a server that is no longer
 * in charge. The engine believes it only if it repeats the secret of the ticket, and only as far as the last answered
 * request of the same server allows. It ignores and counts pushes without the secret. If it cannot believe a push with
 * the secret, it asks the store by a heartbeat.
 *
 * @param name the resource's name
 * @param attempt the attempt that was granted
 * @param token its store token
 * @param deadlineMicros its deadline on the server's clock
 * @param nowMicros the server's clock when it granted
 * @param runId the server's identity
 * @param secret the number that came with the attempt's {@link Acquire}, as the store kept it with the ticket
 * @since 0.1
 */
public record Push(
        String name, long attempt, long token, long deadlineMicros, long nowMicros, String runId, long secret) {

    /** Leaves out the secret, which must not reach a log. */
    @Override
    public String toString() {
        return "Push[" + name + ", attempt " + attempt + ", token " + token + ']';
    }
}
