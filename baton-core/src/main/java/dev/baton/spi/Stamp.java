package dev.baton.spi;

/**
 * Which server process answered, and when on its clock. Every answer carries one, because a belief in a hold may only
 * rest on an answer of the very process that keeps the hold.
 *
 * @param runId identity of the server process (or of the data, where a process leaves no doubt about it)
 * @param nowMicros the server's clock while it worked on the command
 * @param graceMicros how much of a grace period is left; 0 outside one
 * @since 0.1
 */
public record Stamp(String runId, long nowMicros, long graceMicros) {}
