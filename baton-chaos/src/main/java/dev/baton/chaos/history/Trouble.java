package dev.baton.chaos.history;

import java.time.Duration;

/**
 * An exception that a caller of a lock got.
 *
 * @param client the number of its JVM
 * @param atNanos when
 * @param waited how long the caller had asked or held by then
 * @param name the lock
 * @param type the class of the exception
 * @param message what it says
 */
public record Trouble(int client, long atNanos, Duration waited, String name, String type, String message) {}
