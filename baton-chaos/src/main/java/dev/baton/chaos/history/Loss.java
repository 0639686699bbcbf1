package dev.baton.chaos.history;

/**
 * A loss that a holder was told of.
 *
 * @param client the number of its JVM
 * @param hold the number of the hold
 * @param atNanos when
 * @param cause why
 */
public record Loss(int client, long hold, long atNanos, String cause) {}
