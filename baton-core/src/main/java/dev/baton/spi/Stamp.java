package dev.baton.spi;

/**
 * The server process that answered, and the time on its clock. Every answer carries a stamp, because a client may base
 * its belief in a hold only on answers of the process that keeps the hold.
 *
 * @param runId identity of the server process (or of the data, if that leaves no doubt about the process)
 * @param nowMicros the server's clock while it worked on the command
 * @param graceMicros the rest of the grace period; 0 outside one
 * @since 0.1
 */
public record Stamp(String runId, long nowMicros, long graceMicros) {}
