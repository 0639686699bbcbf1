package dev.baton.internal.ordered;

import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a server can do with lines of entries, as one client's connection shows it. For each name there is a line; an
 * entry joins it at its end and never moves; tickets go with the session that made them.
 *
 * <p>Nothing here blocks, retries or is sent twice. Futures fail with a {@link StoreFailure}. Of one client's commands,
 * removals of the same entry ({@link #leave}) take effect in the order in which they are called, and a {@link #join}
 * takes effect after all removals ({@link #leave}, {@link #undo}) that were called before it in its line; others may
 * overtake one another before they are answered. That a command was answered proves that the server was in office and
 * knew this session after the command was called: by a majority of its members, not by one that may have been left
 * behind. {@link #line}, {@link #lineNow}, {@link #look} and {@link #names} prove nothing. Thread-safe.
 */
public interface OrderedServer extends AutoCloseable {
    /** What {@link #prove} finds. */
    enum Proof {
        /** It is there, as it was. */
        STANDS,
        /** It is there, and somebody wrote to it. */
        CHANGED,
        /** It is not there any more. */
        GONE
    }

    /**
     * An entry with what is kept in it.
     *
     * @param entry the entry
     * @param token the number of its making: later made, greater
     * @param version changes with every change of the notes
     * @param notes what is kept in it
     */
    record Noted(Entry entry, long token, long version, EntryNotes notes) {
        /** The version of an entry that only has to be there. */
        public static final long ANY_VERSION = -1;

        private static final EntryNotes UNREAD = new EntryNotes(0, 0, false, "");

        /** An entry of anybody's, whatever is kept in it. */
        static Noted anyOf(Entry entry) {
            return new Noted(entry, 0, ANY_VERSION, UNREAD);
        }

        /**
         * Whether what was found is as it was seen.
         *
         * @param found the version that was found
         * @return true also where every version will do
         */
        public boolean isOfVersion(long found) {
            return version == ANY_VERSION || version == found;
        }
    }

    /**
     * An entry that has joined.
     *
     * @param own the entry
     * @param session the session that it ends with
     * @param line the line, own entry included, as it was then or later
     */
    record Joined(Noted own, String session, List<Entry> line) {}

    /** Is told of a change, once. Calls return quickly. */
    interface Watcher {
        /**
         * Something changed, or may have.
         *
         * @param gone whether the watched entry is certain to be gone
         */
        void changed(boolean gone);

        /** This user may not watch: it will not be told, and has to look. */
        default void refused() {}

        /**
         * Whether anybody still wants to be told.
         *
         * @return false once it may be forgotten
         */
        default boolean isWanted() {
            return true;
        }
    }

    /**
     * Identity of the present session.
     *
     * @return the identity; empty while there is none
     */
    String session();

    /**
     * Whether the session ends when this is closed.
     *
     * @return false where it belongs to the application
     */
    boolean ownsSession();

    /**
     * For how long, at the least, a session lives on after a command that proved it was called.
     *
     * @return the time
     */
    Duration trust();

    /**
     * Makes a ticket at the end of a line, and looks at the line.
     *
     * @param name the name
     * @param label the ticket's label
     * @param notes what to keep in it
     * @return the entry and the line
     */
    CompletableFuture<Joined> join(String name, EntryLabel label, EntryNotes notes);

    /**
     * Makes sure that an attempt has no entry, and that no {@link #join} of it called before will make one any more.
     *
     * @param name the name
     * @param client the client
     * @param attempt the attempt
     * @return done
     */
    CompletableFuture<Void> undo(String name, String client, long attempt);

    /**
     * Looks at a line.
     *
     * @param name the name
     * @return its entries in order, no older than what this client has heard by watches and answers
     */
    CompletableFuture<List<Entry>> line(String name);

    /**
     * Looks at a line as it is now, for those who have heard nothing of it.
     *
     * @param name the name
     * @return its entries in order, no older than the call
     */
    CompletableFuture<List<Entry>> lineNow(String name);

    /**
     * Counts entries, for as little as a look costs that reads none: delay records are entries too.
     *
     * @param names the names
     * @return how many entries the line of each has
     */
    CompletableFuture<List<Integer>> lengths(List<String> names);

    /**
     * Looks into entries.
     *
     * @param entries the entries
     * @return those that are there, in the same order
     */
    CompletableFuture<List<Noted>> look(List<Entry> entries);

    /**
     * Proves the session, and that entries are still there.
     *
     * @param entries the entries as they were last seen, and others' as {@link Noted#ANY_VERSION}; may be empty, and then
     *     only the session is proved
     * @return one answer for each
     */
    CompletableFuture<List<Proof>> prove(List<Noted> entries);

    /**
     * Writes notes, unless somebody else did since.
     *
     * @param entry the entry as it was last seen
     * @param notes the notes
     * @return the entry with its new version; empty if it changed or is gone
     */
    CompletableFuture<Optional<Noted>> note(Noted entry, EntryNotes notes);

    /**
     * Makes the delay record of an own ticket that is about to hold, in the same step in which it proves that the ticket
     * is there: it outlives the session, and shows that its client may have held.
     *
     * @param ticket the ticket
     * @return whether the ticket and its record are there; false if the ticket is gone, and then no record is made
     */
    CompletableFuture<Boolean> delay(Entry ticket);

    /**
     * Removes a ticket with its delay record, if it has one, or a delay record alone.
     *
     * @param entry the entry
     * @param keepsDelay whether a delay record stays, or there is none
     * @return whether the entry was there
     */
    CompletableFuture<Boolean> leave(Entry entry, boolean keepsDelay);

    /**
     * Watches an entry until it changes or goes, once. Tells at once if it is gone.
     *
     * @param entry the entry
     * @param notes whether to tell at once also if anything was written to it since it was made
     * @param watcher who is told, also when a watch can no longer be kept
     */
    void watch(Entry entry, boolean notes, Watcher watcher);

    /**
     * Watches a line until an entry comes or goes, once. Tells at once if it is not as it was seen.
     *
     * @param name the name
     * @param seen the line as it was seen
     * @param watcher who is told, also when a watch can no longer be kept
     */
    void watchLine(String name, List<Entry> seen, Watcher watcher);

    /**
     * Removes what a name leaves behind when its line is empty; never races a newcomer.
     *
     * @param name a name that this client has used
     */
    void tidy(String name);

    /**
     * All names that may have a line, in as many answers as it takes: none is larger than client and server allow.
     *
     * @param prefix what they start with; may be empty
     * @return the names, in any order
     */
    CompletableFuture<List<String>> names(String prefix);

    /**
     * What the server says of itself, for people.
     *
     * @return as {@link dev.baton.spi.Store#facts} wants it
     */
    CompletableFuture<Map<String, String>> facts();

    /** Ends the session, if it is this store's own, and disconnects. */
    @Override
    void close();
}
