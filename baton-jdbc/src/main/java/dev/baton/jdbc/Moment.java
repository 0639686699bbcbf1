package dev.baton.jdbc;

/**
 * A moment on the database's clock.
 *
 * @param micros the time
 * @param graceMicros the rest of the grace period; less than 0 if the server is not the recorded one, so that a grace
 *     period has to begin
 */
record Moment(long micros, long graceMicros) {}
