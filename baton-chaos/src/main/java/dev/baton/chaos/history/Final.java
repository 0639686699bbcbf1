package dev.baton.chaos.history;

import java.time.Duration;

/**
 * The last request of a caller, after all faults have been undone.
 *
 * @param client the number of its JVM
 * @param thread the caller
 * @param name the lock
 * @param waited how long it waited
 * @param granted whether it got the lock
 */
public record Final(int client, int thread, String name, Duration waited, boolean granted) {}
