package dev.baton.chaos.history;

/**
 * What a client told an operator: an event, or a line of its log.
 *
 * @param client the number of its JVM
 * @param text the type of the event with its reason, or the line with its variables in capitals
 * @param count how often, as far as is known
 */
public record Said(int client, String text, long count) {}
