package dev.baton;

import dev.baton.internal.client.Connector;
import java.time.Duration;

/**
 * A client of one namespace on one store. Thread-safe. Create one for each process and store, and close it at the end.
 *
 * @since 0.1
 */
public interface Baton extends AutoCloseable {
    /**
     * Connects with default options.
     *
     * @param uri the store, for example {@code memory:}, {@code memory:NAME} or {@code jdbc:sqlite:FILE}
     * @return a connected client
     * @throws IllegalArgumentException if the URI is malformed, or no store on the class path serves its scheme; the
     *     message lists those that are there and the module to add
     * @throws StoreException if the store cannot be reached, refuses this user, or must not be used as it is; its
     *     reason says which, and the message what to change
     */
    static Baton connect(String uri) {
        return connect(uri, BatonOptions.defaults());
    }

    /**
     * Connects.
     *
     * @param uri the store
     * @param options the client's options
     * @return a connected client
     * @throws IllegalArgumentException as {@link #connect(String)}
     * @throws StoreException as {@link #connect(String)}
     */
    static Baton connect(String uri, BatonOptions options) {
        return Connector.connect(uri, options);
    }

    /**
     * Returns a lock that is owned by its {@link Lease}, and not by a thread. Sends nothing to the store.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @return the lock
     * @throws IllegalArgumentException if the name is empty, too long or not encodable
     */
    default DistributedLock lock(String name) {
        return lock(name, LockOptions.defaults());
    }

    /**
     * Returns a lock that is owned by its {@link Lease}, and not by a thread. Sends nothing to the store.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @param options how to hold it
     * @return the lock
     * @throws IllegalArgumentException if the name is empty, too long or not encodable, or a time in the options does
     *     not fit the store
     */
    DistributedLock lock(String name, LockOptions options);

    /**
     * Returns the thread-owned, re-entrant view of the lock of that name. Sends nothing to the store.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @return the lock
     * @throws IllegalArgumentException if the name is empty, too long or not encodable
     */
    default ReentrantDistributedLock reentrantLock(String name) {
        return reentrantLock(name, LockOptions.defaults());
    }

    /**
     * Returns the thread-owned, re-entrant view of the lock of that name. Sends nothing to the store.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @param options how to hold it
     * @return the lock
     * @throws IllegalArgumentException as {@link #lock(String, LockOptions)}
     */
    ReentrantDistributedLock reentrantLock(String name, LockOptions options);

    /**
     * Returns a read-write lock. Sends nothing to the store.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @return the lock
     * @throws IllegalArgumentException if the name is empty, too long or not encodable
     * @throws UnsupportedOperationException if the store has only locks, as Memcached
     */
    default DistributedReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, LockOptions.defaults());
    }

    /**
     * Returns a read-write lock. Sends nothing to the store.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @param options how to hold it
     * @return the lock
     * @throws IllegalArgumentException as {@link #lock(String, LockOptions)}
     * @throws UnsupportedOperationException if the store has only locks, as Memcached
     */
    DistributedReadWriteLock readWriteLock(String name, LockOptions options);

    /**
     * Returns a semaphore. Sends nothing to the store.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @param permits how many permits there are, at least 1; the same number in all clients
     * @return the semaphore
     * @throws IllegalArgumentException if the name is empty, too long or not encodable, or there are no permits
     * @throws UnsupportedOperationException if the store has only locks, as Memcached
     */
    default DistributedSemaphore semaphore(String name, int permits) {
        return semaphore(name, permits, LockOptions.defaults());
    }

    /**
     * Returns a semaphore. Sends nothing to the store.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @param permits how many permits there are, at least 1; the same number in all clients
     * @param options how to hold them
     * @return the semaphore
     * @throws IllegalArgumentException as {@link #lock(String, LockOptions)}, or if there are no permits
     * @throws UnsupportedOperationException if the store has only locks, as Memcached
     */
    DistributedSemaphore semaphore(String name, int permits, LockOptions options);

    /**
     * Returns several locks that are held together: all or none. Sends nothing to the store. Its leases are held while all
     * names are; when one is lost, the others are released. {@link Lease#token(String)} tells their tokens.
     *
     * <p>The names are acquired one after the other, in the order of their bytes, whatever order they are given in. So
     * callers who hold nothing else cannot wait for each other in a circle. A thread that holds one of the names already
     * gets a {@link BatonException} at once: it would wait for itself.
     *
     * @param names 1 to 1024 bytes of UTF-8 each; at least one name, and none twice
     * @return the locks as one
     * @throws IllegalArgumentException if there is no name, a name twice, or one that is empty, too long or not encodable
     */
    DistributedLock allOf(String... names);

    /**
     * Returns a job, which runs once for each fire time in all clients together. Sends nothing to the store.
     *
     * @param name 1 to 1000 bytes of UTF-8
     * @return the job
     * @throws IllegalArgumentException if the name is empty, too long or not encodable
     * @throws UnsupportedOperationException if the store keeps no notes, as Memcached
     */
    default Job job(String name) {
        return job(name, JobOptions.defaults());
    }

    /**
     * Returns a job, which runs once for each fire time in all clients together. Sends nothing to the store.
     *
     * @param name 1 to 1000 bytes of UTF-8
     * @param options how to run it; the same in all clients
     * @return the job
     * @throws IllegalArgumentException if the name is empty, too long or not encodable
     * @throws UnsupportedOperationException if the store keeps no notes, as Memcached
     */
    Job job(String name, JobOptions options);

    /**
     * Returns an election, in which clients compete to be the one leader. Sends nothing to the store.
     *
     * @param name 1 to 1000 bytes of UTF-8
     * @return the election
     * @throws IllegalArgumentException if the name is empty, too long or not encodable
     * @throws UnsupportedOperationException if the store keeps no notes, as Memcached
     */
    Election election(String name);

    /**
     * Returns the administration of this namespace, which lists, inspects and force-releases locks.
     *
     * @return the administration
     */
    Admin admin();

    /**
     * Sends the cheapest question to the store: one round trip, which changes nothing and needs no lock. For health
     * checks.
     *
     * @return how long it took, and which server answered
     * @throws StoreException if the store did not answer within {@link BatonOptions#commandTimeout()}
     * @throws BatonClosedException if this client is closed
     */
    StorePing ping();

    /**
     * Returns the shortest lease time that the store can keep.
     *
     * @return the least that {@link LockOptions#withLeaseTime} and {@link BatonOptions.Builder#leaseTime} may say
     */
    Duration shortestLease();

    /**
     * Returns how many leases of this client are held now. Sends nothing; takes a moment for each name in use here, so it
     * suits a gauge that is read every few seconds.
     *
     * @return the number of leases that were neither released nor lost
     */
    int heldLeases();

    /**
     * Returns how many callers of this client wait for a lock now, threads and futures. Sends nothing; takes as long as
     * {@link #heldLeases}. A number that grows shows that locks are wanted faster than they are released; {@link
     * BatonOptions#maxLocalWaiters} limits it for each name.
     *
     * @return the number of callers
     */
    int waitingCallers();

    /**
     * Returns this client's identity, which is 128 random bits.
     *
     * @return 32 hexadecimal digits
     */
    String clientId();

    /**
     * Returns whether {@link #close} was called.
     *
     * @return true from the beginning of {@code close} on
     */
    boolean isClosed();

    /**
     * Closes this client. Callers that wait get a {@link BatonClosedException}, leases are lost with {@link
     * LossCause#CLIENT_CLOSED} and released in one batch, and then the client disconnects. Idempotent; never throws;
     * takes at most the store timeout.
     */
    @Override
    void close();
}
