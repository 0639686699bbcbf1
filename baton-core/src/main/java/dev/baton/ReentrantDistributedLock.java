package dev.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The thread-owned, re-entrant view of a lock, for code that is written for {@link Lock}. It excludes the {@link
 * DistributedLock} of the same name. All views of one name in one {@link Baton} share their owner. Re-entrance costs no
 * call to the store.
 *
 * <p>If the hold is lost, the owner's next {@code lock} throws {@link LeaseLostException} once. The call after that
 * acquires the lock again, and the hold count starts at 1. If the hold ended because its fixed lease or {@code maxHold}
 * ended, the next {@code lock} acquires it again at once. A hold is forgotten ten seconds after its end at the latest.
 * Use {@link DistributedLock} in asynchronous code. Thread-safe.
 *
 * @since 0.1
 */
public interface ReentrantDistributedLock extends Lock {
    /**
     * Returns the lock's name.
     *
     * @return the name
     */
    String name();

    /**
     * Acquires the lock, and waits for it if necessary. Not interruptible; keeps the interrupt flag.
     *
     * @throws StoreException if the store did not answer in time, or refused
     */
    @Override
    void lock();

    /**
     * Acquires the lock for a fixed time without renewal, and waits for it if necessary. Not interruptible; keeps the
     * interrupt flag. Re-entrance does not change the lease time.
     *
     * @param lease how long to hold it; at least the store's shortest lease
     * @throws IllegalArgumentException if the store cannot keep so short a lease
     * @throws StoreException if the store did not answer in time, or refused
     */
    void lock(Duration lease);

    /**
     * Acquires the lock, and waits for it if necessary.
     *
     * @throws InterruptedException if interrupted before or while waiting; the thread then holds nothing new
     * @throws StoreException if the store did not answer in time, or refused
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Acquires the lock if it is free, or if this thread holds it.
     *
     * @return whether it is now held
     * @throws StoreException if the store did not answer in time, or refused
     */
    @Override
    boolean tryLock();

    /**
     * Acquires the lock, and waits for it no longer than the given time.
     *
     * @param wait the longest time to wait
     * @return whether it is now held
     * @throws InterruptedException if interrupted before or while waiting
     * @throws StoreException if the store did not answer in time, or refused
     */
    boolean tryLock(Duration wait) throws InterruptedException;

    @Override
    default boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(Math.max(0, time))));
    }

    /**
     * Acquires the lock for a fixed time without renewal, and waits for it no longer than the given time. Re-entrance
     * does not change the lease time.
     *
     * @param wait the longest time to wait
     * @param lease how long to hold it; the store's shortest lease at least
     * @return whether it is now held
     * @throws InterruptedException if interrupted before or while waiting
     * @throws StoreException if the store did not answer in time, or refused
     */
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Acquires the lock for a fixed time without renewal, as {@link #tryLock(Duration, Duration)} does. Other libraries
     * have this form.
     *
     * @param wait the longest time to wait; a negative time counts as zero
     * @param lease how long to hold it; at least the store's shortest lease
     * @param unit the unit of both
     * @return whether it is now held
     * @throws InterruptedException if interrupted before or while waiting
     * @throws StoreException if the store did not answer in time, or refused
     */
    default boolean tryLock(long wait, long lease, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(Math.max(0, wait))), Duration.ofNanos(unit.toNanos(lease)));
    }

    /**
     * Undoes one {@code lock}; the last {@code unlock} releases the lock. Does not throw if the hold was lost within
     * the last ten seconds.
     *
     * @throws IllegalMonitorStateException if this thread does not own the lock
     */
    @Override
    void unlock();

    /**
     * Undoes one {@code lock}, as {@link #unlock} does, and returns the outcome.
     *
     * @return the outcome of the release; empty if this thread still holds the lock, because it locked more than once
     * @throws IllegalMonitorStateException if this thread does not own the lock
     */
    Optional<ReleaseOutcome> release();

    /**
     * Asks the store whether the lock has a holder.
     *
     * @return true if it has
     * @throws StoreException if the store did not answer in time, or refused
     */
    boolean isLocked();

    /**
     * Returns whether the current thread certainly holds the lock. Costs no call to the store.
     *
     * @return true if it does
     */
    boolean isHeldByCurrentThread();

    /**
     * Returns how often the current thread has locked without unlocking.
     *
     * @return 0 if it does not own the lock
     */
    int getHoldCount();

    /**
     * Returns how long the current thread's hold lasts if the store does not answer any more.
     *
     * @return zero if it does not hold the lock
     */
    Duration remainingLease();

    /**
     * Returns the lease of the current thread's hold, for its token and its loss signal. If the lease is released, the
     * thread no longer holds the lock.
     *
     * @return the lease, or empty if this thread does not own the lock
     */
    Optional<Lease> currentLease();

    /**
     * Revokes the lock of its present holder, as {@link Admin#forceRelease} does. The holder frees it at its next
     * heartbeat; if the holder is dead, the lock stays until its lease ends.
     *
     * @return whether the lock had a holder
     * @throws StoreException if the store did not answer in time, or refused
     */
    boolean requestRelease();

    /**
     * Revokes the lock of its present holder and frees it at once, as {@link Admin#forceReleaseNow} does. Unsafe while
     * the old holder still believes that it holds the lock.
     *
     * @return whether the lock had a holder
     * @throws StoreException if the store did not answer in time, or refused
     */
    boolean forceUnlockNow();

    /**
     * Throws an exception: a condition would have to span processes.
     *
     * @return never
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
