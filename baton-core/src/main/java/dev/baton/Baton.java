package dev.baton;

import dev.baton.internal.client.Connector;

/**
 * A client of one namespace on one store. Thread-safe; make one per process and store, and close it at the end.
 */
public interface Baton extends AutoCloseable {
    /**
     * Connects with default options.
     *
     * @param uri the store, for example {@code memory:}, {@code memory:NAME} or {@code jdbc:sqlite:FILE}
     * @return a connected client
     * @throws IllegalArgumentException if the URI is malformed, or no store on the class path serves its scheme; the
     *     message lists those that are there and the module to add
     * @throws StoreException if the store cannot be reached, refuses this user, or must not be used as it is; its reason
     *     says which, and the message what to change
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
     * A lock whose ownership is the lease.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @return the lock; nothing is sent yet
     * @throws IllegalArgumentException if the name is empty, too long or not encodable
     */
    default DistributedLock lock(String name) {
        return lock(name, LockOptions.defaults());
    }

    /**
     * A lock whose ownership is the lease.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @param options how to hold it
     * @return the lock; nothing is sent yet
     * @throws IllegalArgumentException if the name is empty, too long or not encodable, or a time in the options does
     *     not fit the store
     */
    DistributedLock lock(String name, LockOptions options);

    /**
     * The same lock owned by threads.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @return the lock; nothing is sent yet
     * @throws IllegalArgumentException if the name is empty, too long or not encodable
     */
    default ReentrantDistributedLock reentrantLock(String name) {
        return reentrantLock(name, LockOptions.defaults());
    }

    /**
     * The same lock owned by threads.
     *
     * @param name 1 to 1024 bytes of UTF-8
     * @param options how to hold it
     * @return the lock; nothing is sent yet
     * @throws IllegalArgumentException as {@link #lock(String, LockOptions)}
     */
    ReentrantDistributedLock reentrantLock(String name, LockOptions options);

    /**
     * A look from outside.
     *
     * @return the administration of this namespace
     */
    Admin admin();

    /**
     * Asks the store for a sign of life: one round trip, which changes nothing and needs no lock. For health checks.
     *
     * @return how long it took, and which server answered
     * @throws StoreException if there was no answer within {@link BatonOptions#serverSilence()}
     * @throws IllegalStateException if this client is closed
     */
    StorePing ping();

    /**
     * This client's identity: 128 random bits.
     *
     * @return 32 hexadecimal digits
     */
    String clientId();

    /**
     * Fails everybody who waits, releases everything in one batch (leases are lost with
     * {@link LossCause#CLIENT_CLOSED}), then disconnects. May be called more than once; never throws; takes at most the
     * store timeout.
     */
    @Override
    void close();
}
