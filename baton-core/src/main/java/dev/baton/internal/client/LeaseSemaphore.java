package dev.baton.internal.client;

import dev.baton.DistributedLock;
import dev.baton.DistributedSemaphore;
import dev.baton.LockOptions;
import dev.baton.spi.Resource;

/** The semaphore whose permits belong to leases: as a lock, one permit. */
final class LeaseSemaphore extends LeaseLock implements DistributedSemaphore {
    private final LeaseLocks locks;
    private final Resource id;
    private final LockOptions options;

    LeaseSemaphore(LeaseLocks locks, Resource id, LockOptions options) {
        super(locks, new Share(id, 1, false), options);
        this.locks = locks;
        this.id = id;
        this.options = options;
    }

    @Override
    public int capacity() {
        return id.capacity();
    }

    @Override
    public DistributedLock permits(int permits) {
        return new LeaseLock(locks, new Share(id, Checks.permits(id, permits), false), options);
    }

    @Override
    public LeaseSemaphore with(LockOptions other) {
        return new LeaseSemaphore(locks, id, other);
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[" + name() + ", " + capacity() + " permits]";
    }
}
