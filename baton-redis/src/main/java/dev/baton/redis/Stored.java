package dev.baton.redis;

import dev.baton.spi.Kind;
import dev.baton.spi.Note;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Values in the form in which the server keeps them. */
final class Stored {
    /** Limits a description, because calls that work on a queue read and write it. */
    private static final int LONGEST_DESCRIPTION = 512;

    static final int SEMAPHORE = 2;

    /** The first byte of a note. */
    static final int NOTE = 1;

    private static final int NOTE_VALUE_AT = 1 + 2 * Long.BYTES;

    private Stored() {}

    /** Returns a description in its stored form: its beginning, if it is long. */
    static byte[] description(String text) {
        byte[] bytes = Keys.bytes(text.length() <= LONGEST_DESCRIPTION ? text : text.substring(0, LONGEST_DESCRIPTION));
        if (bytes.length <= LONGEST_DESCRIPTION) {
            return bytes;
        }
        int end = LONGEST_DESCRIPTION;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    /** Reads a note as notes.lua stores it. */
    static Note note(byte[] raw) {
        ByteBuffer fields = ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
        return new Note(
                (long) fields.getDouble(1),
                fields.getLong(1 + Double.BYTES),
                Arrays.copyOfRange(raw, NOTE_VALUE_AT, raw.length));
    }

    static int number(Kind kind) {
        return switch (kind) {
            case LOCK -> 0;
            case READ_WRITE -> 1;
            case SEMAPHORE -> SEMAPHORE;
        };
    }

    static Kind kind(long number) {
        return number == 0 ? Kind.LOCK : number == 1 ? Kind.READ_WRITE : Kind.SEMAPHORE;
    }
}
