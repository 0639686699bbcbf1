package dev.baton.internal.client;

import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.LockOptions;
import dev.baton.spi.Resource;
import java.time.Duration;
import java.util.concurrent.locks.ReadWriteLock;

/** The read-write lock whose ownership is the lease. */
final class ReadWriteLeases implements DistributedReadWriteLock {
    private final LeaseLocks locks;
    private final ThreadOwners owners;
    private final Resource id;
    private final LockOptions options;
    private final LeaseLock read;
    private final LeaseLock write;

    ReadWriteLeases(LeaseLocks locks, ThreadOwners owners, Resource id, LockOptions options) {
        this.locks = locks;
        this.owners = owners;
        this.id = id;
        this.options = options;
        // Only the writer can keep the lock after its release.
        this.read = new LeaseLock(locks, Share.reader(id), options.withAtLeast(Duration.ZERO));
        this.write = new LeaseLock(locks, Share.writer(id), options);
    }

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public DistributedReadWriteLock with(LockOptions other) {
        return new ReadWriteLeases(locks, owners, id, other);
    }

    @Override
    public DistributedLock read() {
        Checks.requireAtLeast(read.share(), options);
        return read;
    }

    @Override
    public DistributedLock write() {
        return write;
    }

    @Override
    public ReadWriteLock asReadWriteLock() {
        return new View(new ThreadLock(owners, read, write.share()), new ThreadLock(owners, write, read.share()));
    }

    private record View(ThreadLock readLock, ThreadLock writeLock) implements ReadWriteLock {}

    @Override
    public String toString() {
        return "DistributedReadWriteLock[" + name() + ']';
    }
}
