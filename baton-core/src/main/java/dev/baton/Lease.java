package dev.baton;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The ownership of a lock. Whoever has the object has the lock: any thread may use and release it.
 *
 * <p>Renewed by the watchdog until it is released, unless it was asked for with an explicit lease time. Not
 * re-entrant: a second request for the same lock waits, also in the same thread.
 *
 * <p>Thread-safe. What a holder did before its {@link #release} returned happens-before what the next holder in the
 * same JVM does after its acquire returned; between processes the same holds for effects that the protected resource
 * itself orders.
 */
public interface Lease extends AutoCloseable {
    /**
     * The lock's name.
     *
     * @return the name
     */
    String name();

    /**
     * The fencing token: fixed when the lease was granted, and greater than that of every earlier lease of this lock.
     * Send it with every write, and let the protected resource refuse a write whose token is smaller than one it has
     * seen. Below 2<sup>53</sup>, so it survives JSON and JavaScript.
     *
     * @return the token, positive
     */
    long token();

    /**
     * Whether the lock is certainly held at this moment. False before the store could let another in, also at the
     * first instruction after a pause of the process. Once false because the lease ended, it stays false; it is false
     * for the moment that a check takes after the machine slept or its clock was set forward. Costs no call to the
     * store.
     *
     * @return true if no other client can hold the lock now
     */
    boolean isHeld();

    /**
     * How long {@link #isHeld} stays true if nothing more is heard from the store.
     *
     * @return zero if the lease is not held
     */
    Duration remaining();

    /**
     * Checks before a dangerous step that there is time for it.
     *
     * @param minRemaining how long the step may take; zero asks whether the lease is held at all
     * @throws LeaseLostException if the lease is lost, was released, or may end before
     * @throws IllegalArgumentException if the duration is negative
     */
    void ensureHeld(Duration minRemaining);

    /**
     * Asks the store to keep the lock for at least this long from now. For a lease with an explicit lease time this is
     * the only way to go on; a renewed one needs it before a step longer than its lease time during which the process
     * may stall.
     *
     * @param atLeast from now; positive
     * @return true if the store now keeps the lock so long; false if the lease is lost or released, or {@code maxHold}
     *     ends it before. {@link #remaining} never exceeds the grace option all the same: it counts from the store's last
     *     answer
     * @throws StoreException if the store did not answer in time; the lease is as before, or longer
     * @throws IllegalArgumentException if the duration is not positive
     */
    boolean extend(Duration atLeast);

    /**
     * Calls an action when the lease is lost, at once if it is lost already. At most once, and not at all if the lease is
     * released first, or abandoned. Runs on a thread of the client's own, not on the callback executor, whose tasks it
     * would have to wait for; it may block.
     *
     * @param action receives the cause
     * @return this lease
     */
    Lease onLost(Consumer<LossCause> action);

    /**
     * Releases the lock and hands it to the next in the queue. The lease stops counting as held before the store is
     * asked. Not interruptible; keeps the interrupt flag. Waits at most for the server silence option. May be called
     * any number of times by any thread.
     *
     * @return what was found; never throws for reasons that the caller could not act on
     */
    ReleaseOutcome release();

    /**
     * Releases the lock without waiting for the store.
     *
     * @return completes on the callback executor, or on a thread of the client's own, with what {@link #release} would have
     *     returned; never exceptionally
     */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /** Releases the lock; never throws. */
    @Override
    void close();
}
