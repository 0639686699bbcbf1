package dev.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The thread-owned, re-entrant view of a lock, for code written against {@link Lock}. It excludes the
 * {@link DistributedLock} of the same name; all views of one name in one {@link Baton} share ownership. Re-entrance
 * costs no call to the store.
 *
 * <p>If the hold is lost, the next {@code lock} by its owner throws {@link LeaseLostException} once; the one after that
 * takes the lock anew, and the count begins at 1 again. A hold that ended by the time its owner set, a fixed lease or
 * {@code maxHold}, is taken anew at once. An ended hold is forgotten ten seconds after its end at the latest. Use
 * {@link DistributedLock} in asynchronous code. Thread-safe.
 */
public interface ReentrantDistributedLock extends Lock {
    /**
     * The name.
     *
     * @return the name
     */
    String name();

    /** Waits for the lock. Not interruptible; keeps the interrupt flag. */
    @Override
    void lock();

    /**
     * Waits for the lock.
     *
     * @throws InterruptedException if interrupted before or while waiting; the thread then holds nothing new
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Takes the lock if it is free, or held by this thread.
     *
     * @return whether it is now held
     */
    @Override
    boolean tryLock();

    /**
     * Waits for the lock, but not longer than told.
     *
     * @param wait at most this long
     * @return whether it is now held
     * @throws InterruptedException if interrupted before or while waiting
     */
    boolean tryLock(Duration wait) throws InterruptedException;

    @Override
    default boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(Math.max(0, time))));
    }

    /**
     * Waits for the lock, and holds it for a fixed time without renewal. Re-entered, the first lease time stays.
     *
     * @param wait at most this long
     * @param lease how long to hold it; the store's shortest lease at least
     * @return whether it is now held
     * @throws InterruptedException if interrupted before or while waiting
     */
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Undoes one {@code lock}; the last one releases. Does not throw if the hold was lost within the last ten seconds.
     *
     * @throws IllegalMonitorStateException if this thread does not own the lock
     */
    @Override
    void unlock();

    /**
     * Undoes one {@code lock}, as {@link #unlock} does, and says what came of the lock.
     *
     * @return what the release found; empty while this thread still has the lock, because it took it more than once
     * @throws IllegalMonitorStateException if this thread does not own the lock
     */
    Optional<ReleaseOutcome> release();

    /**
     * Asks the store whether anybody holds the lock.
     *
     * @return true if so
     */
    boolean isLocked();

    /**
     * Whether the current thread certainly holds the lock. Costs no call to the store.
     *
     * @return true if so
     */
    boolean isHeldByCurrentThread();

    /**
     * How often the current thread has locked without unlocking.
     *
     * @return 0 if it does not own the lock
     */
    int getHoldCount();

    /**
     * How long the current thread's hold lasts if nothing more is heard from the store.
     *
     * @return zero if it does not hold the lock
     */
    Duration remainingLease();

    /**
     * The lease behind the current thread's hold, for its token and its loss signal. If it is released here, the thread
     * no longer holds the lock.
     *
     * @return the lease, or empty if this thread does not own the lock
     */
    Optional<Lease> currentLease();

    /**
     * Takes the lock away from whoever holds it, as {@link Admin#forceRelease} does.
     *
     * @return whether anybody held it
     */
    boolean forceUnlock();

    /**
     * Takes the lock away from whoever holds it and frees it at once, as {@link Admin#forceReleaseNow} does: unsafe while
     * the old holder still believes that it holds the lock.
     *
     * @return whether anybody held it
     */
    boolean forceUnlockNow();

    /**
     * Not supported: a condition would have to span processes.
     *
     * @return never
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
