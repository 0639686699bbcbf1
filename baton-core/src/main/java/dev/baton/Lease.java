package dev.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The ownership of a lock. It belongs to no thread: any thread that has this object may use and release it.
 *
 * <p>The watchdog renews a lease until it is released, unless it has an explicit lease time. A lease is not re-entrant:
 * a second request for the same lock waits, even in the same thread.
 *
 * <p>Thread-safe. Actions of a holder before its {@link #release} returns happen-before actions of the next holder in
 * the same JVM after its acquisition returns. Between processes, the protected resource orders its own writes.
 *
 * @since 0.1
 */
public interface Lease extends AutoCloseable {
    /**
     * Returns the lock's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the fencing token. It is fixed when the lease is granted, and greater than the token of every earlier
     * lease of this lock. Send it with every write, and let the protected resource refuse a write with a smaller token
     * than the largest one it has seen. It is below 2<sup>53</sup>, so JSON and JavaScript keep it exact.
     *
     * @return the token, positive
     */
    long token();

    /**
     * Returns the fencing token of one name. A lease of {@link Baton#allOf} has one for each of its names, and {@link
     * #token()} throws an {@link UnsupportedOperationException} there.
     *
     * @param name one of the lease's names
     * @return the token, positive
     * @throws IllegalArgumentException if it is none of them, or if the lease has this name of several namespaces: {@code
     *     DistributedLock.tokenIn} tells them apart
     */
    long token(String name);

    /**
     * Returns whether others may hold the same name at the same time, which depends on the kind of lock: true for a reader
     * and for the permits of a semaphore. The token of a shared lease orders no writes, so a fence refuses it.
     *
     * @return false for a lock and for the writer of a read-write lock
     */
    boolean isShared();

    /**
     * Checks that the token of this lease orders writes. Resources that check tokens call it first.
     *
     * @throws IllegalArgumentException if the lease is shared
     */
    default void ensureExclusive() {
        if (isShared()) {
            throw new IllegalArgumentException("the lease of \"" + name()
                    + "\" is shared: others may hold the name at the same time, so its token orders no writes; use a lock"
                    + " or the writer of a read-write lock");
        }
    }

    /**
     * Returns whether the lock is certainly held at this moment. It becomes false before the store can grant the lock
     * to another, even at the first instruction after a pause of the process. If the lease has ended, it stays false.
     * After the machine slept, or its clock was set forward, it is false until the client has asked the store. Costs no
     * call to the store.
     *
     * @return true if no other client can hold the lock now
     */
    boolean isHeld();

    /**
     * Returns how long {@link #isHeld} stays true if the store does not answer any more.
     *
     * @return zero if the lease is not held
     */
    Duration remaining();

    /**
     * Returns why the lease was lost. Costs no call to the store.
     *
     * @return the cause; empty if the lease is held or was released, and while the machine's two clocks disagree on
     *     whether it is over
     */
    Optional<LossCause> loss();

    /**
     * Checks that the lease is held.
     *
     * @throws LeaseLostException if the lease is lost or was released
     */
    default void ensureHeld() {
        ensureHeld(Duration.ZERO);
    }

    /**
     * Checks that the lease is held, and lasts long enough for the next step.
     *
     * @param minRemaining how long the step may take; zero checks only that the lease is held
     * @throws LeaseLostException if the lease is lost, was released, or may end before
     * @throws IllegalArgumentException if the duration is negative
     */
    void ensureHeld(Duration minRemaining);

    /**
     * Asks the store to keep the lock for at least this long, counted from this call. A lease with an explicit lease time has no other
     * way to last longer. A renewed lease needs it before a step that is longer than the lease time, if the process may
     * stall during the step.
     *
     * @param atLeast the time from this call on; positive
     * @return true if the store keeps the lock for that long; false if the lease is lost or released, or if {@code maxHold}
     *     ends it before. {@link #remaining} never exceeds {@link BatonOptions#grace}
     * @throws StoreException if the store did not answer in time; the lease is as before, or longer
     * @throws IllegalArgumentException if the duration is not positive
     */
    boolean extend(Duration atLeast);

    /**
     * Asks the store, without the calling thread, to keep the lock for at least this long from now.
     *
     * @param atLeast the time from now; positive
     * @return completes, on the callback executor or on a thread of the client, with what {@link #extend} would return,
     *     or exceptionally with its exception
     * @throws IllegalArgumentException if the duration is not positive
     */
    CompletableFuture<Boolean> extendAsync(Duration atLeast);

    /**
     * Registers an action that runs when the lease is lost, or at once if it is lost already. It runs at most once, and
     * not at all if the lease is released or garbage-collected first. It runs on a thread of the client, never on the
     * callback executor, and may block.
     *
     * @param action receives the cause
     * @return this lease
     */
    Lease onLost(Consumer<LossCause> action);

    /**
     * Reads the note of the lock's name: a small value at the store that holders pass on to later holders.
     *
     * <p>Nobody else can have written it between the read and the return, as the lease was held all the time. While the
     * store does not answer, or is in a grace period, the call asks again for at most the store timeout.
     *
     * @return the last note of this holder or an earlier one; empty if there was none, or {@link Admin#forget} removed it
     * @throws LeaseLostException if the lease is lost or was released
     * @throws StoreException if the note is unknown: the store did not answer in time, or has been in a grace period for
     *     all of it
     * @throws UnsupportedOperationException if the store keeps no notes, as Memcached, or if this is a lease of several
     *     names
     */
    Optional<byte[]> note();

    /**
     * Writes the note of the lock's name. The store takes it in one atomic step with the check that this lease has the lock,
     * so a holder that was lost cannot write, not even late. The note stays when the lease ends. A failover can lose it as
     * it can lose a lease; then this client puts it back, if it lives on for the grace period.
     *
     * <p>When this returns, the store has the note. Of two calls at the same time one comes last. While the store does not
     * answer, or has to take back the lease in a grace period, the call asks again for at most the store timeout. Not
     * interruptible; keeps the interrupt flag.
     *
     * @param note at most 1,024 bytes, in any form
     * @throws LeaseLostException if the lease is lost or was released. Nothing was written, unless the store has taken the
     *     note before and could not say so
     * @throws StoreException if it is unknown whether the note was written
     * @throws IllegalArgumentException if the note is too long, or if others may hold the name at the same time: a reader,
     *     or permits
     * @throws UnsupportedOperationException as {@link #note}
     */
    void writeNote(byte[] note);

    /**
     * Releases the lock, and hands it to the next waiter. {@link #isHeld} becomes false before the store is asked. Not
     * interruptible; keeps the interrupt flag. Waits at most for the command timeout. Idempotent; any thread may call
     * it.
     *
     * @return the outcome; a store that does not answer is an outcome, not an exception
     */
    ReleaseOutcome release();

    /**
     * Makes a reader of the writer of a read-write lock. The lock is held throughout: no other writer comes between. When
     * this returns, the lease is shared, and readers of this client may have the lock as well; those of other clients
     * get it when the store has heard of it, by a heartbeat that is sent at once. Writers that wait come first, in their
     * order. The token stays, and readers that join have the same. Nothing is kept after the release any more
     * ({@link LockOptions#withAtLeast}).
     *
     * @throws LeaseLostException if the lease is lost or was released
     * @throws UnsupportedOperationException if this is not the lease of a writer
     */
    void downgrade();

    /**
     * Releases the lock like {@link #release()}, and keeps it from all clients for a time: the store grants it to none,
     * this one included. That time belongs to no client, so it goes on when this one is closed or gone; {@link
     * Admin#forceRelease} ends it. If the lease is not held any more, nothing is kept.
     *
     * @param keepFor how long from now; zero to keep nothing beyond {@link LockOptions#withAtLeast}
     * @return as {@link #release()}
     * @throws IllegalArgumentException if the time is negative, or longer than a year
     * @throws UnsupportedOperationException if others may hold the name at the same time: a reader, or permits
     */
    ReleaseOutcome releaseAndKeep(Duration keepFor);

    /**
     * Releases the lock without waiting for the store.
     *
     * @return completes, on the callback executor or on a thread of the client, with what {@link #release} would
     *     return; never exceptionally
     */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /**
     * Releases the lock like {@link #release()}; never throws. With {@link BatonOptions#releaseInBackground()} it does not wait
     * for the store.
     */
    @Override
    void close();
}
