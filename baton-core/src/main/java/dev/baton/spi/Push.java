package dev.baton.spi;

/**
 * A hint that a ticket became a hold. It may be lost, late, doubled, or sent by a server that has lost its office: the
 * engine believes it only as far as the last answered request of the same server allows.
 *
 * @param name the resource's name
 * @param attempt the attempt that was granted
 * @param token its store token
 * @param deadlineMicros its deadline on the server's clock
 * @param nowMicros the server's clock when it granted
 * @param runId the server's identity
 */
public record Push(String name, long attempt, long token, long deadlineMicros, long nowMicros, String runId) {}
