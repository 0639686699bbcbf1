package dev.baton.jdbc;

import dev.baton.spi.Note;
import org.jspecify.annotations.Nullable;

/**
 * A note, as one statement read it.
 *
 * @param note the note; null for none
 * @param moment when it was read
 */
record KeptNote(@Nullable Note note, Moment moment) {}
