package dev.baton.internal.ordered;

import dev.baton.spi.Note;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A server's queues of entries, as one client's connection offers them. Each name has a queue, which the methods call
 * its line. An entry joins the queue at its end and never moves. Tickets end with the session that made them.
 *
 * <p>No method blocks, retries or sends a command twice. Futures fail with a {@link StoreFailure}. One client's
 * removals of the same entry ({@link #leave}) take effect in the order of their calls, and a {@link #join} takes effect
 * after all removals ({@link #leave}, {@link #undo}) in its queue that were called before it. Other commands may
 * overtake one another until they are answered. An answer proves that the server was in charge and knew this session
 * after the command was called: a majority of its members says so, not one member that may have been left behind.
 * {@link #line}, {@link #lineNow}, {@link #look}, {@link #readNameNote} and {@link #names} prove nothing. Thread-safe.
 */
public interface OrderedServer extends AutoCloseable {
    /** The finding of {@link #prove} for one entry. */
    enum Proof {
        /** The entry is there, unchanged. */
        STANDS,
        /** The entry is there, but was written to. */
        CHANGED,
        /** The entry is not there any more. */
        GONE
    }

    /**
     * An entry with its contents.
     *
     * @param entry the entry
     * @param token the number of its creation: a later entry has a greater one
     * @param version changes with every change of the notes
     * @param notes its contents
     *
     */
    record Noted(Entry entry, long token, long version, EntryNotes notes) {
        /** Matches every version: the entry only has to be there. */
        public static final long ANY_VERSION = -1;

        private static final EntryNotes UNREAD = new EntryNotes(0, 0, false, "");

        /** Returns an entry of any client, with any contents. */
        static Noted anyOf(Entry entry) {
            return new Noted(entry, 0, ANY_VERSION, UNREAD);
        }

        /**
         * Returns whether a version that was found is the one that was seen.
         *
         * @param found the version that was found
         * @return true also if every version matches
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
     * @param line the queue with the own entry, as it was then or later
     */
    record Joined(Noted own, String session, List<Entry> line) {}

    /**
     * A write of a name's note.
     *
     * @param ticket the writer's own entry, which holds
     * @param seen the note that is to be there
     * @param note the note to write; if it is not newer than the one seen, nothing is written
     */
    record NameWrite(Entry ticket, NameNote seen, Note note) {
        /**
         * Returns whether there is something to write.
         *
         * @return true if the note is newer than the one seen
         */
        public boolean isNews() {
            return note.isNewerThan(seen.note().orElse(null));
        }

        /**
         * Returns the sign that would show that the entry's weight was lowered.
         *
         * @return its label; empty for an entry that is never lowered
         */
        public Optional<EntryLabel> sign() {
            EntryLabel label = ticket.label();
            return label.isWriter() ? Optional.of(label.lowered(1)) : Optional.empty();
        }
    }

    /** The finding of {@link #writeNameNote}. */
    enum NameWritten {
        /** The entry stands with its whole weight, and the note is there, or was not newer than the one seen. */
        DONE,
        /** The entry stands with its whole weight, but the note is not the one seen. Nothing was written. */
        OUTDATED,
        /** The entry is gone, or has a lower weight. Nothing was written. */
        KEPT_OUT
    }

    /** Receives one notice of a change. Implementations return quickly. */
    interface Watcher {
        /**
         * Called when the watched entry or queue changed, or may have changed.
         *
         * @param gone whether the watched entry is certain to be gone, without a keeper that is on
         */
        void changed(boolean gone);

        /** Called if this user may not watch: no notice will come, and the ticket's queue has to be read. */
        default void refused() {}

        /**
         * Returns whether the notice is still wanted.
         *
         * @return false once the watch may be dropped
         */
        default boolean isWanted() {
            return true;
        }
    }

    /**
     * Returns the identity of the present session.
     *
     * @return the identity; empty while there is none
     */
    String session();

    /**
     * Returns whether the session ends when this is closed.
     *
     * @return false if it belongs to the application
     */
    boolean ownsSession();

    /**
     * Returns how long a session lives at least after the call of a command that proved it.
     *
     * @return the time
     */
    Duration trust();

    /**
     * Creates a ticket at the end of a queue, and reads the queue.
     *
     * @param name the name
     * @param label the ticket's label
     * @param notes its contents
     * @return the entry and the queue
     */
    CompletableFuture<Joined> join(String name, EntryLabel label, EntryNotes notes);

    /**
     * Ensures that an attempt has no entry, and that no earlier {@link #join} of it will still create one.
     *
     * @param name the name
     * @param client the client
     * @param attempt the attempt
     * @return completed when done
     */
    CompletableFuture<Void> undo(String name, String client, long attempt);

    /**
     * Reads a queue.
     *
     * @param name the name
     * @return its entries in order, no older than what this client has heard by watches and answers
     */
    CompletableFuture<List<Entry>> line(String name);

    /**
     * Reads the present state of a queue, for callers that have heard nothing of it.
     *
     * @param name the name
     * @return its entries in order, no older than the call
     */
    CompletableFuture<List<Entry>> lineNow(String name);

    /**
     * Counts the entries of queues without reading them, which costs little. Delay records are entries too.
     *
     * @param names the names
     * @return how many entries the queue of each has
     */
    CompletableFuture<List<Integer>> lengths(List<String> names);

    /**
     * Reads the contents of entries.
     *
     * @param entries the entries
     * @return those that are there, in the same order
     */
    CompletableFuture<List<Noted>> look(List<Entry> entries);

    /**
     * Proves that the session lives, and whether entries are still there.
     *
     * @param entries own entries as they were last seen, and those of other clients with {@link Noted#ANY_VERSION}; if
     *     empty, only the session is proved
     * @return one answer for each
     */
    CompletableFuture<List<Proof>> prove(List<Noted> entries);

    /**
     * Writes notes, unless they were written since they were last seen.
     *
     * @param entry the entry as it was last seen
     * @param notes the notes
     * @return the entry with its new version; empty if it changed or is gone
     */
    CompletableFuture<Optional<Noted>> note(Noted entry, EntryNotes notes);

    /**
     * Creates the delay record of an own ticket that is about to hold, and proves in the same step that the ticket is
     * there. The record outlives the session, and shows that its client may have held.
     *
     * @param ticket the ticket
     * @return whether the ticket and its record are there; if the ticket is gone, false, and no record is created
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
     * Creates the sign that an own ticket of a writer has a lower weight now. It ends with the session.
     *
     * @param ticket the ticket
     * @param sign the sign's label
     * @return whether the ticket and the sign are there
     */
    CompletableFuture<Boolean> lower(Entry ticket, EntryLabel sign);

    /**
     * Removes the sign of a ticket that has left.
     *
     * @param ticket the ticket
     * @param sign the sign's label
     * @return completed when done
     */
    CompletableFuture<?> removeSign(Entry ticket, EntryLabel sign);

    /**
     * Puts a keeper in the place of an own ticket, and removes the ticket's delay record, if it has one. The keeper
     * outlives the session. A watcher of the ticket hears of its removal only once the keeper is over, or with the word
     * that it is not certain.
     *
     * @param ticket the ticket
     * @param keeper the keeper's label
     * @return whether the ticket was there
     */
    CompletableFuture<Boolean> keep(Entry ticket, EntryLabel keeper);

    /**
     * Creates an entry that withholds some of a name's capacity. It outlives the session.
     *
     * @param name the name
     * @param label the entry's label
     * @return completed when it is there
     */
    CompletableFuture<?> withhold(String name, EntryLabel label);

    /**
     * Reads the note of a name, which outlives all entries and sessions.
     *
     * @param name the name
     * @return the note, no older than the call
     */
    CompletableFuture<NameNote> readNameNote(String name);

    /**
     * Writes the note of a name in one step, in which the server compares everything: that the entry is there, that it
     * was not {@linkplain #lower lowered}, and that the note is the one seen. So a write that arrives late never follows
     * a release or a lowering.
     *
     * @param write the entry and the note
     * @return the outcome
     */
    CompletableFuture<NameWritten> writeNameNote(NameWrite write);

    /**
     * Removes the note of a name.
     *
     * @param name the name
     * @return whether there was one
     */
    CompletableFuture<Boolean> removeNameNote(String name);

    /**
     * Watches an entry until its first change or its removal. Notifies at once if it is gone.
     *
     * @param entry the entry
     * @param notes whether to notify at once also if it was written to since its creation
     * @param watcher receives the notice, also if the watch can no longer be kept
     */
    void watch(Entry entry, boolean notes, Watcher watcher);

    /**
     * Watches a queue until an entry joins or goes, once. Notifies at once if it has changed since it was seen.
     *
     * @param name the name
     * @param seen the queue as it was seen
     * @param watcher receives the notice, also if the watch can no longer be kept
     */
    void watchLine(String name, List<Entry> seen, Watcher watcher);

    /**
     * Removes the rest of a name whose queue is empty. Never harms a ticket that joins meanwhile.
     *
     * @param name a name that this client has used
     */
    void tidy(String name);

    /**
     * Returns all names that may have a queue, in as many answers as needed: none is larger than client and server
     * allow.
     *
     * @param prefix the start of the names; may be empty
     * @return the names, in any order
     */
    CompletableFuture<List<String>> names(String prefix);

    /**
     * Returns facts about the server, for users.
     *
     * @return as {@link dev.baton.spi.Store#facts} requires
     */
    CompletableFuture<Map<String, String>> facts();

    /** Ends the session, if it is this store's own, and disconnects. */
    @Override
    void close();
}
