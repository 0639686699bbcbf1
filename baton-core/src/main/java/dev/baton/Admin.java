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
     * Lists the locks that have a holder or waiters.
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
     * Lists the locks that have a holder or waiters, page by page. A page is not a snapshot: locks that are acquired or
     * released between two pages may be in both states.
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
     * @return a description of the lock, or empty if the lock has neither a holder nor waiters
     * @throws StoreException if the store did not answer in time, or refused
     */
    Optional<LockInfo> inspect(String name);

    /**
     * Revokes a lock of its present holder. The holder's next heartbeat tells the holder ({@link LossCause#REVOKED})
     * and frees the lock. If the holder is dead, the lock stays until its lease ends. This method does not wait for the
     * holder's work to end.
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
