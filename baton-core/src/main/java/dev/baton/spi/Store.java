package dev.baton.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One client's connection to a store.
 *
 * <p>Every call is one attempt that returns an answer, or throws, within the time given. Calls are atomic at the
 * store, first advance the resource (drop what is dead, grant the head of the queue) and may come from any thread at
 * any time. They do not retry by themselves and ignore interrupts.
 *
 * @since 0.1
 */
public interface Store extends AutoCloseable {
    /**
     * What this store can do now. While pushes cannot be heard for some time, it may say that grants are not pushed; the
     * engine then asks more often.
     *
     * @return the capabilities
     */
    Capabilities capabilities();

    /**
     * What was found unwise when connecting, for people: what it is, what may happen, what to change.
     *
     * @return logged by a normal client, refused by a strict one
     */
    default List<String> warnings() {
        return List.of();
    }

    /**
     * What the store says of itself, for people: at least {@code version}; how it persists, what it evicts, and
     * whatever else decides whether locks are safe there. Never a secret.
     *
     * @param timeoutNanos time for this one attempt
     * @return values by short names in lower case, in the order in which to show them
     * @throws StoreFailure if there was no answer
     */
    Map<String, String> facts(long timeoutNanos) throws StoreFailure;

    /**
     * Asks for a sign of life: one round trip that changes nothing.
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
     * @param command what to acquire
     * @param timeoutNanos time for this one attempt
     * @return the answer
     * @throws StoreFailure if there was none
     */
    Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure;

    /**
     * Confirms and renews holds, shows presence of tickets, and learns what became of them.
     *
     * @param command holds and tickets
     * @param timeoutNanos time for this one attempt
     * @return the answer, entry by entry
     * @throws StoreFailure if there was none
     */
    Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure;

    /**
     * Ends a hold.
     *
     * @param command what to release
     * @param timeoutNanos time for this one attempt
     * @return the answer
     * @throws StoreFailure if there was none
     */
    Release.Reply release(Release command, long timeoutNanos) throws StoreFailure;

    /**
     * Ends many holds, in as few round trips as the store can.
     *
     * @param commands what to release
     * @param timeoutNanos time for all of them together
     * @return the answers, in order
     * @throws StoreFailure if one of them got none; all of them were tried, and the others may have been released
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
     * @param command what to undo
     * @param timeoutNanos time for this one attempt
     * @return server and time
     * @throws StoreFailure if there was no answer
     */
    Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure;

    /**
     * Looks at one name without changing anything.
     *
     * @param name the resource's name
     * @param timeoutNanos time for this one attempt
     * @return its state, or empty where the store knows nothing of it
     * @throws StoreFailure if there was no answer
     */
    Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure;

    /**
     * Looks at the names that have holds or tickets.
     *
     * @param prefix what names must start with; may be empty
     * @param limit at most this many
     * @param timeoutNanos time for this one attempt
     * @return names in order
     * @throws StoreFailure if there was no answer
     */
    List<ResourceView> list(String prefix, int limit, long timeoutNanos) throws StoreFailure;

    /**
     * Takes a hold away from its holder: it is not renewed any more, and ends at its deadline or when its client,
     * told by the heartbeat, lets go.
     *
     * @param name the resource's name
     * @param token the hold's store token
     * @param now free it at once, without waiting for its client: unsafe while that client believes in it
     * @param timeoutNanos time for this one attempt
     * @return whether there was such a hold
     * @throws StoreFailure if there was no answer
     */
    boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure;

    /** Disconnects. Holds and tickets stay, and end by themselves. */
    @Override
    void close();
}
