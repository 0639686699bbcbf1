package dev.baton.internal.client;

import dev.baton.DistributedLock;
import dev.baton.DistributedSemaphore;
import dev.baton.LockOptions;
import dev.baton.spi.Resource;

/** The semaphore whose permits belong to leases: as a lock, one permit. */
final class LeaseSemaphore extends LeaseLock implements DistributedSemaphore {
    LeaseSemaphore(LeaseLocks locks, Resource semaphore, LockOptions options) {
        super(locks, Share.permits(semaphore, 1), options);
    }

    @Override
    public int capacity() {
        return share().resource().capacity();
    }

    @Override
    public void resize(int permits) {
        Resource semaphore = share().resource();
        locks().admin().withhold(semaphore, semaphore.capacity() - Checks.permits(semaphore, permits));
    }

    @Override
    public DistributedLock permits(int permits) {
        Resource semaphore = share().resource();
        return new LeaseLock(locks(), Share.permits(semaphore, Checks.permits(semaphore, permits)), options());
    }

    @Override
    public LeaseSemaphore with(LockOptions other) {
        return new LeaseSemaphore(locks(), share().resource(), other);
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[" + name() + ", " + capacity() + " permits]";
    }
}
