package dev.baton.spi;

/**
 * Undoes an attempt, whatever became of it: its ticket is withdrawn, its hold is freed and handed on, and the attempt
 * can never be granted afterwards, even if its acquire arrives later than this.
 *
 * @param resource what was asked for
 * @param attempt the attempt to undo
 * @param number this command's own number
 * @since 0.1
 */
public record Cancel(Resource resource, long attempt, CommandNumber number) {}
