package dev.baton.internal.ordered;

import dev.baton.spi.Note;
import dev.baton.spi.StoreFailure;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The note of a name as a server has it. It belongs to the name; {@link EntryNotes} are the contents of one entry.
 *
 * @param note the note; empty for none
 * @param version the server's number of the write; without a note, that of {@link #ABSENT}
 */
public record NameNote(Optional<Note> note, long version) {
    /** A name without a note. */
    public static final NameNote ABSENT = new NameNote(Optional.empty(), -1);

    private static final byte FORM = 1;
    private static final int HEAD_BYTES = 1 + 2 * Long.BYTES;

    /**
     * Returns a note as bytes: the number of this form, the token, the write's number, the value.
     *
     * @param note the note
     * @return bytes that {@link #decode} reads
     */
    public static byte[] encode(Note note) {
        byte[] value = note.bytes();
        return ByteBuffer.allocate(HEAD_BYTES + value.length)
                .put(FORM)
                .putLong(note.token())
                .putLong(note.number())
                .put(value)
                .array();
    }

    /**
     * Reads a note.
     *
     * @param bytes the server's form, as {@link #encode} makes it
     * @param version the server's number of the write
     * @return the note; failed if the bytes have another form
     */
    public static CompletableFuture<NameNote> decode(byte[] bytes, long version) {
        int length = bytes.length - HEAD_BYTES;
        if (length < 0 || length > Note.MAX_BYTES || bytes[0] != FORM) {
            return CompletableFuture.failedFuture(new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNFIT,
                    "the name has a note that this version of Baton did not write, and cannot read",
                    null));
        }
        ByteBuffer from = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        long token = from.getLong();
        long number = from.getLong();
        byte[] value = new byte[length];
        from.get(value);
        return CompletableFuture.completedFuture(new NameNote(Optional.of(new Note(token, number, value)), version));
    }
}
