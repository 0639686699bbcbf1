package dev.baton.internal.ordered;

import java.nio.charset.StandardCharsets;

/**
 * What is kept in an entry: for people, and for those who need to know more than its name says.
 *
 * @param leaseMicros the lease time asked for
 * @param token where several may hold: the hold's token, written by its client when it holds; 0 until then
 * @param revoked whether force was used on it
 * @param description whose it is, for people
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
     * As bytes.
     *
     * @return what {@link #decode} reads
     */
    public byte[] encode() {
        return (leaseMicros + " " + token + ' ' + (revoked ? 1 : 0) + ' ' + description)
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a text; what somebody else wrote there is taken for a description.
     *
     * @param text what {@link #encode} wrote, in UTF-8
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
            // Told below.
        }
        return new EntryNotes(0, 0, false, text);
    }
}
