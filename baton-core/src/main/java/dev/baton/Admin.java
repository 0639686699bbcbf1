package dev.baton;

import java.util.List;
import java.util.Optional;

/**
 * Lists, inspects and force-releases the locks of a namespace, including those of other clients. Thread-safe. Every
 * method throws {@link StoreException} if the store does not answer within {@link BatonOptions#commandTimeout}, and
 * {@link BatonClosedException} once the client is closed.
 *
 * @since 0.1
 */
public interface Admin {
    /**
     * Lists the locks that have a holder or waiters, or are kept for a time.
     *
     * @param prefix what names must start with; may be empty
     * @param limit at most this many, at least 1
     * @return in the order of the names' UTF-8 bytes
     * @throws StoreException if the store did not answer in time, or refused
     */
    default List<LockInfo> list(String prefix, int limit) {
        return list(prefix, "", limit);
    }

    /**
     * Lists the locks that have a holder or waiters, or are kept for a time, page by page. A page is not a snapshot:
     * locks that are acquired or released between two pages may be in both states.
     *
     * <pre>{@code
     * String after = "";
     * List<LockInfo> page;
     * do {
     *     page = admin.list("order:", after, 100);
     *     page.forEach(System.out::println);
     *     after = page.isEmpty() ? "" : page.get(page.size() - 1).name();
     * } while (page.size() == 100);
     * }</pre>
     *
     * @param prefix what names must start with; may be empty
     * @param after only names after this one, which need not exist; empty for the first page
     * @param limit at most this many, at least 1
     * @return in the order of the names' UTF-8 bytes
     * @throws StoreException if the store did not answer in time, or refused
     */
    List<LockInfo> list(String prefix, String after, int limit);

    /**
     * Describes one lock.
     *
     * @param name the lock's name
     * @return a description of the lock, or empty if the lock has neither a holder nor waiters, and is not kept
     * @throws StoreException if the store did not answer in time, or refused
     */
    Optional<LockInfo> inspect(String name);

    /**
     * Revokes a lock of its present holder. The holder's next heartbeat tells the holder ({@link LossCause#REVOKED})
     * and frees the lock. If the holder is dead, the lock stays until its lease ends. This method does not wait for the
     * holder's work to end. If the lock has no holder, and the store grants it to no client for a time ({@link
     * LockInfo#keptFor}), that time ends.
     *
     * @param name the lock's name
     * @return the holder that was revoked, or empty if the lock had none
     * @throws StoreException if the store did not answer in time, or refused
     */
    Optional<LockInfo.Holder> forceRelease(String name);

    /**
     * Revokes a lock and frees it at once. <strong>Unsafe</strong>: until its next heartbeat the old holder still
     * believes that it holds the lock, and the next holder works beside it. Only fencing tokens keep the old holder's
     * writes out.
     *
     * @param name the lock's name
     * @return the holder that was revoked, or empty if the lock had none
     * @throws StoreException if the store did not answer in time, or refused
     */
    Optional<LockInfo.Holder> forceReleaseNow(String name);

    /**
     * Reads the note of a name without holding it ({@link Lease#writeNote}).
     *
     * @param name the lock's name
     * @return the note of its last writer; empty if there is none
     * @throws StoreException if the store did not answer in time, or is in a grace period, in which it may have forgotten
     *     the note
     * @throws UnsupportedOperationException if the store keeps no notes, as Memcached
     */
    Optional<byte[]> note(String name);

    /**
     * Removes the note of a name. A holder may write a new one. If the store fails over within the next minutes, a client
     * that wrote the removed note shortly before may put it back.
     *
     * @param name the lock's name
     * @return false if it had none
     * @throws StoreException as {@link #note}; the note may be gone or not
     * @throws UnsupportedOperationException as {@link #note}
     */
    boolean forget(String name);

    /**
     * Tells who waits for whom, and finds deadlocks: threads that wait for each other in a circle, in any processes. Reads
     * up to 10,000 names.
     *
     * <p>A circle is called a deadlock only if two looks show it unchanged that are 1.5 seconds apart: the same tickets, the
     * same holds, the same threads. Until then each client has told the store which of its threads has a hold or waits, so
     * the circle was there at one moment. If a first look shows none, this method returns at once.
     *
     * <p>The store knows one thread for each hold and ticket. What it does not know is not here: the callers that queue
     * behind another one of the same client for the same name, the readers of a client behind the one by which their
     * shared hold is described, and asynchronous requests, which no thread waits for. A lease that was given to another
     * thread seems to be held by the thread that acquired it. A wait with a time limit ends by itself, also in a deadlock.
     * A client that is stopped, or cut off from the store, cannot correct what the store knows of it.
     *
     * @return the waits, and the deadlocks
     * @throws InterruptedException if the calling thread is interrupted between the two looks
     * @throws StoreException if the store did not answer in time, or refused
     * @throws UnsupportedOperationException if the store has no queue, and so does not know who waits
     */
    WaitForGraph waitsFor() throws InterruptedException;

    /**
     * Returns whether the store is in a grace period: after a restart or failover it grants no lock for a while, because
     * it may have forgotten who holds which. Costs at most one round trip.
     *
     * @return the grace period, or empty if the store is in none
     * @throws StoreException if the store did not answer in time, or refused
     */
    Optional<GracePeriod> gracePeriod();

    /**
     * Examines whether the store is fit for locks. Reads the store's settings, and acquires and releases a lock of a
     * reserved name up to fifty times within about five seconds, which proves the rights to write.
     *
     * @return the report
     * @throws StoreException if the store refuses, or does not answer; its reason says which
     */
    StoreReport examine();
}
