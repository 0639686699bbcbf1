package dev.baton.chaos.history;

/**
 * An exception that a caller of a lock got.
 *
 * @param client the number of its JVM
 * @param atNanos when
 * @param name the lock
 * @param type the class of the exception
 * @param message what it says
 */
public record Trouble(int client, long atNanos, String name, String type, String message) {}
