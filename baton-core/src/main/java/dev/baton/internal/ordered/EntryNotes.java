package dev.baton.internal.ordered;

import java.nio.charset.StandardCharsets;

/**
 * The contents of an entry: facts for users, and for clients that need more than the entry's name.
 *
 * @param leaseMicros the lease time asked for
 * @param token if several clients may hold: the hold's token, which its client writes when it holds; 0 until then
 * @param revoked whether it was released by force
 * @param description who owns it, as text for users
 */
public record EntryNotes(long leaseMicros, long token, boolean revoked, String description) {
    private static final int FIELDS = 4;

    EntryNotes withToken(long granted) {
        return new EntryNotes(leaseMicros, granted, revoked, description);
    }

    EntryNotes withDescription(String other) {
        return new EntryNotes(leaseMicros, token, revoked, other);
    }

    EntryNotes asRevoked() {
        return new EntryNotes(leaseMicros, token, true, description);
    }

    /**
     * Returns the notes as bytes.
     *
     * @return UTF-8 that {@link #decode} reads
     */
    public byte[] encode() {
        return (leaseMicros + " " + token + ' ' + (revoked ? 1 : 0) + ' ' + description)
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads notes. A text that Baton did not write is taken for a description.
     *
     * @param text the UTF-8 text, as {@link #encode} makes it
     * @return the notes
     */
    public static EntryNotes decode(String text) {
        String[] fields = text.split(" ", FIELDS);
        try {
            if (fields.length == FIELDS) {
                return new EntryNotes(
                        Long.parseLong(fields[0]), Long.parseLong(fields[1]), fields[2].equals("1"), fields[3]);
            }
        } catch (NumberFormatException notOurs) {
            // Handled below.
        }
        return new EntryNotes(0, 0, false, text);
    }
}
