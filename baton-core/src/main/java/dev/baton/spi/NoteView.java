package dev.baton.spi;

import java.util.Optional;

/**
 * A name's note as the store has it.
 *
 * @param stamp server and time. In a grace period the note may be an old one, or be missing: the client that wrote the
 *     last one may not have put it back yet
 * @param note the note; empty for none
 * @since 0.1
 */
public record NoteView(Stamp stamp, Optional<Note> note) {}
