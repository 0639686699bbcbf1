package dev.baton.spring.integration;

import dev.baton.BatonException;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.ReentrantDistributedLock;
import dev.baton.ReleaseOutcome;
import dev.baton.spring.integration.Holds.Hold;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * A thread-owned lock of the client, with the exceptions of Spring Integration's own registries: {@link
 * ConcurrentModificationException} for a loss, {@link CannotAcquireLockException} if the store gives no answer.
 */
class KeyLock implements Lock {
    private final ReentrantDistributedLock lock;
    private final @Nullable Duration time;
    private final Holds holds;

    /**
     * Creates a lock.
     *
     * @param time the fixed lease time of the lock's options; null if the client renews its leases
     */
    KeyLock(ReentrantDistributedLock lock, @Nullable Duration time, Holds holds) {
        this.lock = lock;
        this.time = time;
        this.holds = holds;
    }

    @FunctionalInterface
    private interface Attempt<X extends Exception> {
        boolean run() throws X;
    }

    private <X extends Exception> boolean enter(@Nullable Duration fixed, Attempt<X> attempt) throws X {
        Hold outer = holds.mine(lock.name());
        if (outer != null && outer.isLost()) {
            throw lost(outer.lease());
        }
        boolean entered;
        try {
            entered = attempt.run();
        } catch (LeaseLostException lostMeanwhile) {
            throw lost(lostMeanwhile);
        } catch (BatonException failure) {
            throw new CannotAcquireLockException("failed to lock \"" + lock.name() + '"', failure);
        }
        if (entered) {
            entered(outer, fixed);
        }
        return entered;
    }

    /**
     * Counts the lock. If the outer hold of this thread ended while it locked, it has a new lease, and not the one on which
     * the outer section relies: it gives that back.
     */
    private void entered(@Nullable Hold outer, @Nullable Duration fixed) {
        Lease lease = lock.currentLease().orElseThrow();
        if (outer != null && outer.lease() != lease && outer.isLost()) {
            lock.unlock();
            throw lost(outer.lease());
        }
        holds.enter(lock.name(), lease, fixed);
    }

    @Override
    public void lock() {
        enter(time, () -> {
            lock.lock();
            return true;
        });
    }

    /** Locks for a fixed time: part of {@code DistributedLock}, which Spring Integration has since 7.0. */
    public void lock(Duration ttl) {
        enter(ttl, () -> {
            lock.lock(ttl);
            return true;
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        enter(time, () -> {
            lock.lockInterruptibly();
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        return enter(time, () -> lock.tryLock());
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return enter(time, () -> lock.tryLock(wait, unit));
    }

    /** Tries to lock for a fixed time: part of {@code DistributedLock}. */
    public boolean tryLock(Duration wait, Duration ttl) throws InterruptedException {
        return enter(ttl, () -> lock.tryLock(wait, ttl));
    }

    @Override
    public void unlock() {
        Hold hold = holds.leave(lock.name());
        if (hold == null) {
            // Not locked by this registry: the client knows whether this thread may unlock it.
            lock.unlock();
        } else if (!release(hold)) {
            throw lost(hold.lease());
        }
    }

    /** Undoes one lock; returns whether the lease was held to the end, as far as this thread's section has ended. */
    private boolean release(Hold hold) {
        try {
            return lock.release()
                    .map(outcome -> outcome != ReleaseOutcome.EXPIRED && outcome != ReleaseOutcome.NOT_HELD)
                    .orElse(true);
        } catch (IllegalMonitorStateException forgotten) {
            if (!hold.isLost()) {
                throw forgotten;
            }
            return hold.count() > 0;
        }
    }

    /**
     * Makes the lease of this thread last longer.
     *
     * @param ttl how long from now on; null for the fixed time of the lease, or only a check if the client renews it
     */
    void renew(@Nullable Duration ttl) {
        Hold hold = holds.mine(lock.name());
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "thread \"" + Thread.currentThread().getName() + "\" does not hold \"" + lock.name() + '"');
        }
        Duration atLeast = ttl == null ? hold.time() : ttl;
        LeaseLostException why = whyNotHeld(hold.lease());
        if (why != null || !extend(hold.lease(), atLeast)) {
            throw new IllegalStateException("could not renew \"" + lock.name() + '"', why);
        }
    }

    private static boolean extend(Lease lease, @Nullable Duration atLeast) {
        try {
            return atLeast == null || lease.extend(atLeast);
        } catch (BatonException unknown) {
            throw new DataAccessResourceFailureException("failed to renew \"" + lease.name() + '"', unknown);
        }
    }

    private ConcurrentModificationException lost(Lease lease) {
        return lost(whyNotHeld(lease));
    }

    private ConcurrentModificationException lost(@Nullable LeaseLostException why) {
        return new ConcurrentModificationException(
                "the lock \"" + lock.name()
                        + "\" was lost before it was unlocked: another may have worked at the same time",
                why);
    }

    private static @Nullable LeaseLostException whyNotHeld(Lease lease) {
        try {
            lease.ensureHeld();
            return null;
        } catch (LeaseLostException why) {
            return why;
        }
    }

    /** Throws an exception: a condition would have to span processes. */
    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyLock that
                && that.holds.equals(holds)
                && that.lock.name().equals(lock.name());
    }

    @Override
    public int hashCode() {
        return lock.name().hashCode();
    }

    @Override
    public String toString() {
        return "BatonLockRegistry[" + lock.name() + ']';
    }
}
