package dev.baton.spi;

/**
 * Undoes an attempt in any state. The store removes its ticket, frees its hold and hands it on, and never grants the
 * attempt afterwards, even if its acquire arrives after this command.
 *
 * @param resource the resource that was asked for
 * @param attempt the attempt to undo
 * @param number this command's own number
 * @since 0.1
 */
public record Cancel(Resource resource, long attempt, CommandNumber number) {}
