package dev.baton;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A read-write lock that all clients of a namespace know by its name: one writer, or any number of readers. Clients get
 * it in the order in which they asked, so a writer waits only for the readers that came before it, and readers only for
 * the writers that came before them.
 *
 * <p>All readers of one client share one hold at the store: the second reader costs no call. While other clients wait, a
 * hold takes new readers of its client for 50 ms only. Readers that hold together have the same token, which is newer
 * than the last writer's. A reader's token orders no writes.
 *
 * <p>Immutable, thread-safe and without state of its own.
 *
 * @since 0.1
 */
public interface DistributedReadWriteLock {
    /**
     * Returns the lock's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns this lock with other options.
     *
     * @param options how to hold it, as a reader or as the writer
     * @return another view of the same lock
     */
    DistributedReadWriteLock with(LockOptions options);

    /**
     * Returns the side of the readers. A thread that holds the lock as its writer must not ask: it would wait for
     * itself, and gets a {@link BatonException} instead.
     *
     * @return acquires the lock together with other readers
     */
    DistributedLock read();

    /**
     * Returns the side of the writer. A thread that holds the lock as a reader must not ask: it would wait for itself,
     * and gets a {@link BatonException} instead. It has to release its lease first; what it read may then have changed.
     *
     * @return acquires the lock alone
     */
    DistributedLock write();

    /**
     * Returns the view whose two locks are owned by threads and re-entrant, as those of {@link
     * java.util.concurrent.locks.ReentrantReadWriteLock}. The writer may acquire the read lock as well, and becomes a
     * reader when it then unlocks the write lock ({@link Lease#downgrade}). A reader that asks for the write lock gets a
     * {@link BatonException} at once. Both locks are {@link ReentrantDistributedLock}s.
     *
     * @return a view of the same lock
     */
    ReadWriteLock asReadWriteLock();
}
