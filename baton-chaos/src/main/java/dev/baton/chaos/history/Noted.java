package dev.baton.chaos.history;

/**
 * What a holder did with the note of its name: it read the note that it found, and wrote its token.
 *
 * @param client the number of its JVM
 * @param hold its number
 * @param read what it read
 * @param write what became of the note that it wrote
 */
public record Noted(int client, long hold, Read read, Write write) {
    /**
     * What a holder read.
     *
     * @param isKnown whether it had an answer, and still held afterwards
     * @param note the note; an empty text if there was none
     */
    public record Read(boolean isKnown, String note) {
        /** No answer, or one that came too late. */
        public static final Read UNKNOWN = new Read(false, "");
    }

    /** What became of a note. */
    public enum Write {
        /** The store has confirmed it. */
        WRITTEN,
        /** The store may have it, or may get it later. */
        UNSURE,
        /** It was not sent. */
        NONE
    }
}
