package dev.baton.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One client's connection to a store.
 *
 * <p>Every call is one attempt that returns an answer, or throws, within the given time. It takes effect atomically at
 * the store, and first advances the resource: it drops expired holds and tickets, and grants the head of the queue. Any
 * thread may call at any time. Calls do not retry by themselves, and ignore interrupts.
 *
 * @since 0.1
 */
public interface Store extends AutoCloseable {
    /**
     * Returns the store's present capabilities. While the store cannot receive pushes, it may report that grants are
     * not pushed; the engine then polls more often.
     *
     * @return the capabilities
     */
    Capabilities capabilities();

    /**
     * Returns messages for users about unwise settings that were found when connecting. Each names the setting, the
     * risk and the change to make.
     *
     * @return the messages; a normal client logs them, a strict one refuses the store
     */
    default List<String> warnings() {
        return List.of();
    }

    /**
     * Returns the identity of the namespace, as its descriptor has it: {@link Agreement#namespaceId}. It is known without
     * a call, and equal in all clients of the namespace. After a store has forgotten its data, it may be another one.
     *
     * @return 32 hexadecimal digits
     */
    String namespaceId();

    /**
     * Returns which server has a name, if the store spreads its names over several. Each server has a clock, a life and
     * a memory of its own: what one of them answers says nothing about holds on another. The engine sends the names of
     * one shard in one heartbeat.
     *
     * @param name a resource's name
     * @return the shard's number; the same name has always the same
     */
    default int shardOf(String name) {
        return 0;
    }

    /**
     * Returns facts about the store for users: at least {@code version}, and the settings that decide whether locks are
     * safe there, such as persistence and eviction. They never contain a secret.
     *
     * @param timeoutNanos time for this one attempt
     * @return values by short names in lower case, in display order
     * @throws StoreFailure if there was no answer
     */
    Map<String, String> facts(long timeoutNanos) throws StoreFailure;

    /**
     * Returns whether the store is in a grace period, for users. It may be asked before any lock is, and changes nothing.
     *
     * @param timeoutNanos time for this one attempt
     * @return the grace period; empty outside one, and of a store that has none
     * @throws StoreFailure if there was no answer
     */
    default Optional<Grace> grace(long timeoutNanos) throws StoreFailure {
        return Optional.empty();
    }

    /**
     * Checks that the store answers: one round trip that changes nothing.
     *
     * @param timeoutNanos time for this one attempt
     * @return server and time
     * @throws StoreFailure if there was no answer
     */
    default Stamp ping(long timeoutNanos) throws StoreFailure {
        return heartbeat(new Heartbeat(CommandNumber.of(1), List.of(), List.of()), timeoutNanos)
                .stamp();
    }

    /**
     * Asks for a hold.
     *
     * @param command the hold to acquire
     * @param timeoutNanos time for this one attempt
     * @return the answer
     * @throws StoreFailure if there was no answer
     */
    Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure;

    /**
     * Confirms and renews holds, keeps tickets in the queue, and reports the state of both.
     *
     * @param command holds and tickets
     * @param timeoutNanos time for this one attempt
     * @return one answer for each hold and ticket
     * @throws StoreFailure if there was no answer
     */
    Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure;

    /**
     * Ends a hold.
     *
     * @param command the hold to release
     * @param timeoutNanos time for this one attempt
     * @return the answer
     * @throws StoreFailure if there was no answer
     */
    Release.Reply release(Release command, long timeoutNanos) throws StoreFailure;

    /**
     * Ends many holds, in as few round trips as the store can.
     *
     * @param commands the holds to release
     * @param timeoutNanos time for all of them together
     * @return the answers, in order
     * @throws StoreFailure if a command got no answer; all were tried, and the others may have been released
     */
    default List<Release.Reply> releaseAll(List<Release> commands, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        List<Release.Reply> replies = new ArrayList<>(commands.size());
        StoreFailure failed = null;
        for (Release command : commands) {
            try {
                replies.add(release(command, deadline.leftNanos()));
            } catch (StoreFailure failure) {
                failed = failure;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return replies;
    }

    /**
     * Undoes an attempt.
     *
     * @param command the attempt to undo
     * @param timeoutNanos time for this one attempt
     * @return server and time
     * @throws StoreFailure if there was no answer
     */
    Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure;

    /**
     * Returns the state of one name, without changing anything.
     *
     * @param name the resource's name
     * @param timeoutNanos time for this one attempt
     * @return its state, or empty if the store has none
     * @throws StoreFailure if there was no answer
     */
    Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure;

    /**
     * Returns the state of names that have holds or tickets, or that are granted to no client for a time, without changing
     * anything.
     *
     * @param prefix the start of the names; may be empty
     * @param after only names after this one, in the order of {@link Protocol#NAME_ORDER}; empty for all
     * @param limit the greatest number of names
     * @param timeoutNanos time for this one attempt
     * @return states, in the order of their names
     * @throws StoreFailure if there was no answer
     */
    List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure;

    /**
     * Takes a hold away from its holder, or ends a time in which the resource is granted to no client. The store no
     * longer renews such a hold: it ends at its deadline, or earlier when its client learns of this by a heartbeat and
     * releases it.
     *
     * @param name the resource's name
     * @param token the hold's store token; 0 for the lock-delay of a failed holder, or the time for which the last holder
     *     kept the resource
     * @param now whether to free it at once, without waiting for its client, which is unsafe while that client believes
     *     in it
     * @param timeoutNanos time for this one attempt
     * @return true if there was such a hold, or such a time
     * @throws StoreFailure if there was no answer
     */
    boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure;

    /**
     * Sets how many permits of a semaphore are granted to no client. Present holds keep theirs; nothing is granted until
     * the rest has room for it. Outlives this client. A store that forgets holds in a failover may forget this, too.
     *
     * @param semaphore the semaphore; while permits are withheld, its name stands for this number of permits, also
     *     without a holder
     * @param weight how many permits, less than the capacity; 0 to grant all of them again
     * @param timeoutNanos time for this one attempt
     * @return the resource of the name: the semaphore, or another one that is in use, on which this has no effect
     * @throws StoreFailure if there was no answer; {@link StoreFailure.Reason#UNFIT} if the store has no semaphores
     */
    default Resource withhold(Resource semaphore, int weight, long timeoutNanos) throws StoreFailure {
        throw new StoreFailure(
                StoreFailure.Effect.NONE, StoreFailure.Reason.UNFIT, "this store cannot withhold permits", null);
    }

    /**
     * Reads a name's note.
     *
     * @param name the name
     * @param timeoutNanos time for this one attempt
     * @return the note, or none; no older than the call
     * @throws StoreFailure if there was no answer; {@link StoreFailure.Reason#UNFIT} if the store keeps no notes
     */
    default NoteView note(String name, long timeoutNanos) throws StoreFailure {
        throw withoutNotes();
    }

    /**
     * Writes a name's note in one atomic step, if the client's hold is present and excludes others. It changes nothing
     * else, and does not advance the resource. No sweep takes a note away.
     *
     * @param command the hold and the note
     * @param timeoutNanos time for this one attempt
     * @return the answer
     * @throws StoreFailure if there was no answer; {@link StoreFailure.Reason#UNFIT} if the store keeps no notes
     */
    default WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        throw withoutNotes();
    }

    /**
     * Puts back a note that the store may have forgotten: in a grace period, unless the store has a newer one.
     *
     * @param name the name
     * @param note a note that its client knows to have been written
     * @param timeoutNanos time for this one attempt
     * @return {@link WriteNote.Written} if the store has this note now, or a newer one; {@link WriteNote.Refused} if it is in
     *     no grace period
     * @throws StoreFailure if there was no answer; {@link StoreFailure.Reason#UNFIT} if the store keeps no notes
     */
    default WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
        throw withoutNotes();
    }

    /**
     * Removes a name's note.
     *
     * @param name the name
     * @param timeoutNanos time for this one attempt
     * @return {@link WriteNote.Written} if it is gone; {@link WriteNote.Refused} if there was none; {@link
     *     WriteNote.Recovering} in a grace period, in which a client could put it back
     * @throws StoreFailure if there was no answer; {@link StoreFailure.Reason#UNFIT} if the store keeps no notes
     */
    default WriteNote.Reply forgetNote(String name, long timeoutNanos) throws StoreFailure {
        throw withoutNotes();
    }

    private StoreFailure withoutNotes() {
        return new StoreFailure(
                StoreFailure.Effect.NONE,
                StoreFailure.Reason.UNFIT,
                capabilities().store() + " keeps no notes, and so has no jobs and no elections",
                null);
    }

    /** Disconnects. Holds and tickets stay, and end by themselves. */
    @Override
    void close();
}
