package dev.baton.spi;

/**
 * Writes a name's note, if the client's hold is present and excludes all others. May be sent twice.
 *
 * @param resource the held resource
 * @param attempt the attempt that was granted
 * @param token the hold's store token
 * @param note what to write
 * @since 0.1
 */
public record WriteNote(Resource resource, long attempt, long token, Note note) {
    /** The answer. */
    public sealed interface Reply {
        /**
         * Returns server and time.
         *
         * @return the stamp
         */
        Stamp stamp();
    }

    /**
     * The note was written: by this command, or by it or a later one of the same lease before.
     *
     * @param stamp server and time
     */
    public record Written(Stamp stamp) implements Reply {}

    /**
     * Nothing was written, because the hold is not present, or is shared, or a later lease has written.
     *
     * @param stamp server and time
     */
    public record Refused(Stamp stamp) implements Reply {}

    /**
     * Nothing was written, because the store is in a grace period and does not know the hold: its client has to put it back
     * first.
     *
     * @param stamp server and time
     */
    public record Recovering(Stamp stamp) implements Reply {}
}
