package dev.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A number of permits that all clients of a namespace share under one name. Permits belong to leases, so those of a
 * client that died come back when its leases are over. Clients get permits in the order in which they asked: a request
 * for many is not overtaken by later requests for few.
 *
 * <p>As a {@link DistributedLock} it takes one permit at a time; {@link #permits(int)} takes several. A lease's token
 * tells permits apart, but orders no writes: several leases are held at once. All clients have to name the same number of
 * permits; a client that names another gets a {@link BatonException}.
 *
 * <p>Immutable, thread-safe and without state of its own.
 *
 * @since 0.1
 */
public interface DistributedSemaphore extends DistributedLock {
    /**
     * Returns how many permits there are at most: the number that all clients name. {@link #resize} may have lowered how
     * many are granted.
     *
     * @return the capacity
     */
    int capacity();

    /**
     * Changes how many permits are granted to all clients together, from now on. Leases that are held stay: if they have
     * more permits than the new number, the store grants nothing until enough have come back. A request for more permits
     * than there are fails with a {@link BatonException}, also if it waits already. More permits are granted at once.
     *
     * <p>The store keeps the number, without a lease, until this method sets another one. While it is lower than the
     * capacity, no client can use the name with another capacity. {@link LockInfo#permits} tells it. A store that may
     * forget holds in a failover (Redis) may forget it as well: then the whole capacity is granted again.
     *
     * @param permits how many, at least 1 and at most {@link #capacity}
     * @throws IllegalArgumentException if there can never be so many
     * @throws BatonException if the name is in use as something else
     * @throws StoreException if the store did not answer within {@link BatonOptions#commandTimeout}: the number may have
     *     changed; calling this again is safe
     */
    void resize(int permits);

    /**
     * Returns a view that takes several permits at once, all or none. Sends nothing to the store.
     *
     * @param permits how many, at least 1 and at most {@link #capacity}
     * @return the view, with the options of this semaphore
     * @throws IllegalArgumentException if there can never be so many
     */
    DistributedLock permits(int permits);

    @Override
    DistributedSemaphore with(LockOptions options);

    /**
     * Acquires permits, and waits for them if necessary.
     *
     * @param permits how many
     * @return one lease for all of them
     * @throws InterruptedException as {@link #acquire()}
     * @throws IllegalArgumentException as {@link #permits(int)}
     */
    default Lease acquire(int permits) throws InterruptedException {
        return permits(permits).acquire();
    }

    /**
     * Acquires permits if they are free now. Never overtakes a waiter.
     *
     * @param permits how many
     * @return one lease for all of them, or empty as {@link #tryAcquire()}
     * @throws IllegalArgumentException as {@link #permits(int)}
     */
    default Optional<Lease> tryAcquire(int permits) {
        return permits(permits).tryAcquire();
    }

    /**
     * Acquires permits, and waits for them no longer than the given time.
     *
     * @param permits how many
     * @param wait the longest time to wait
     * @return one lease for all of them, or empty as {@link #tryAcquire(Duration)}
     * @throws InterruptedException as {@link #tryAcquire(Duration)}
     * @throws IllegalArgumentException as {@link #permits(int)}, or if the duration is negative
     */
    default Optional<Lease> tryAcquire(int permits, Duration wait) throws InterruptedException {
        return permits(permits).tryAcquire(wait);
    }

    /**
     * Acquires permits without blocking a thread.
     *
     * @param permits how many
     * @return completes with one lease for all of them, as {@link #acquireAsync()}
     * @throws IllegalArgumentException as {@link #permits(int)}
     */
    default CompletableFuture<Lease> acquireAsync(int permits) {
        return permits(permits).acquireAsync();
    }
}
