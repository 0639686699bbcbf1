package dev.baton.internal.client;

import dev.baton.Admin;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.ReentrantDistributedLock;
import dev.baton.ReleaseOutcome;
import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** The thread-owned view: a count beside a lease. */
final class ThreadLock implements ReentrantDistributedLock {
    private final Waits waits;
    private final ThreadOwners owners;
    private final Admin admin;
    private final LeaseLock lock;
    private final LockOptions options;
    private final @Nullable Share otherSide;

    /**
     * Creates a view.
     *
     * @param otherSide of a read-write lock; null for a lock
     */
    ThreadLock(ThreadOwners owners, LeaseLock lock, @Nullable Share otherSide) {
        this.waits = lock.locks().waits();
        this.owners = owners;
        this.admin = lock.locks().admin();
        this.lock = lock;
        this.options = lock.options();
        this.otherSide = otherSide;
    }

    @Override
    public String name() {
        return lock.name();
    }

    /**
     * Counts a re-entrance; false if this thread does not hold the lock. A hold that ended as its holder intended, by
     * its fixed time or a release, is forgotten, and the thread acquires the lock again. A loss is first thrown once,
     * because the thread may be inside the section that it believes to be protected.
     */
    private boolean reenter() {
        ThreadOwners.Owned mine = owners.mine(lock.share());
        if (mine != null) {
            if (stands(mine)) {
                mine.count++;
                return true;
            }
            owners.leave(lock.share());
        }
        return readsAsTheWriter();
    }

    /** Whether a lease of this thread is held. A loss is thrown, once. */
    private boolean stands(ThreadOwners.Owned owned) {
        Grant grant = owned.lease.grant();
        if (waits.stands(grant)) {
            return true;
        }
        if (grant.isUncertain()) {
            throw Exceptions.get()
                    .store("whether \"" + name()
                            + "\" is still held is unknown: the machine slept, or its clock was set,"
                            + " and the store does not answer");
        }
        if (grant.loss() != null && !grant.hasRunOut() && !owned.told) {
            owned.told = true;
            throw owned.lease.lost(null, null);
        }
        // Releases a hold that the store may still have; otherwise this thread would wait for itself.
        waits.discardUsed(grant);
        return false;
    }

    /** Counts a writer as a reader, too: both sides have one lease, which lasts until both are unlocked. */
    private boolean readsAsTheWriter() {
        ThreadOwners.Owned writer = lock.share().together() ? ofOtherSide() : null;
        return writer != null && stands(writer) && enter(writer.lease);
    }

    private ThreadOwners.@Nullable Owned ofOtherSide() {
        Share other = otherSide;
        return other == null ? null : owners.mine(other);
    }

    private boolean enter(@Nullable LeaseHandle lease) {
        if (lease != null) {
            owners.enter(lock.share(), lease);
        }
        return lease != null;
    }

    @Override
    public void lock() {
        if (!reenter()) {
            enter(lock.acquireUninterruptibly());
        }
    }

    @Override
    public void lock(Duration lease) {
        LeaseLock fixed = lock.with(options.withLeaseTime(lease));
        if (!reenter()) {
            enter(fixed.acquireUninterruptibly());
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!reenter()) {
            enter(lock.acquireInterruptibly());
        }
    }

    @Override
    public boolean tryLock() {
        return reenter() || enter(lock.tryOnce());
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return tryLock(wait, lock);
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        return tryLock(wait, lock.with(options.withLeaseTime(lease)));
    }

    private boolean tryLock(Duration wait, LeaseLock how) throws InterruptedException {
        Checks.waitNanos(wait);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return reenter() || enter(how.tryFor(wait));
    }

    @Override
    public void unlock() {
        Optional<ReleaseOutcome> unused = release();
    }

    @Override
    public Optional<ReleaseOutcome> release() {
        ThreadOwners.Owned mine = owners.mine(lock.share());
        if (mine == null) {
            throw new IllegalMonitorStateException(
                    "thread \"" + Thread.currentThread().getName() + "\" does not own \"" + name() + '"');
        }
        if (--mine.count > 0) {
            return Optional.empty();
        }
        owners.leave(lock.share());
        ThreadOwners.Owned other = ofOtherSide();
        if (other == null || other.lease != mine.lease) {
            return Optional.of(mine.lease.release());
        }
        if (!lock.share().together()) {
            // It still reads, and lets other readers in. If the lease is lost, the reading side tells of it.
            boolean unused = mine.lease.becomeReader();
        }
        return Optional.empty();
    }

    @Override
    public boolean isLocked() {
        return lock.isLocked();
    }

    @Override
    public boolean isHeldByCurrentThread() {
        ThreadOwners.Owned mine = owners.mine(lock.share());
        return mine != null && mine.lease.isHeld();
    }

    @Override
    public int getHoldCount() {
        ThreadOwners.Owned mine = owners.mine(lock.share());
        return mine == null ? 0 : mine.count;
    }

    @Override
    public Duration remainingLease() {
        return currentLease().map(Lease::remaining).orElse(Duration.ZERO);
    }

    @Override
    public Optional<Lease> currentLease() {
        return Optional.ofNullable(owners.mine(lock.share())).map(mine -> mine.lease);
    }

    @Override
    public boolean requestRelease() {
        return admin.forceRelease(name()).isPresent();
    }

    @Override
    public boolean forceUnlockNow() {
        return admin.forceReleaseNow(name()).isPresent();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a condition would have to span processes");
    }

    @Override
    public String toString() {
        String side = otherSide == null ? "" : lock.share().together() ? ", readers" : ", writer";
        return "ReentrantDistributedLock[" + name() + side + ']';
    }
}
