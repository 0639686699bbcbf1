package dev.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lock known by its name to all clients of a namespace. First come, first served between clients; within one client
 * a release passes the lock on locally for a bounded while.
 *
 * <p>Immutable, thread-safe and without any state of its own: make as many as you like. Every method may throw
 * {@link StoreException} if the store gives no answer, {@link BatonException} if this name stands for something else
 * or too many callers wait, and {@link IllegalStateException} once the {@link Baton} is closed; the caller then holds
 * nothing.
 */
public interface DistributedLock {
    /**
     * The name.
     *
     * @return the name
     */
    String name();

    /**
     * The same lock with other options.
     *
     * @param options how to hold it
     * @return another view of this lock
     */
    DistributedLock with(LockOptions options);

    /**
     * Waits for the lock. Keeps asking an unreachable store for the store timeout.
     *
     * @return the lease, held
     * @throws InterruptedException if the thread was interrupted before or while it waited; it then holds nothing
     */
    Lease acquire() throws InterruptedException;

    /**
     * Takes the lock if it is free at once; never passes a queue.
     *
     * @return the lease, or empty if somebody else has the lock or queues for it
     */
    Optional<Lease> tryAcquire();

    /**
     * Waits for the lock, but not longer than told. The limit holds even when the server is silent.
     *
     * @param wait at most this long; zero is {@link #tryAcquire()}
     * @return the lease, or empty if somebody else had the lock all the while
     * @throws InterruptedException if the thread was interrupted before or while it waited; it then holds nothing
     * @throws IllegalArgumentException if the duration is negative
     */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Waits for the lock without a thread.
     *
     * @return completes on the callback executor with the lease, or exceptionally as {@link #acquire} would throw;
     *     cancelling it withdraws the request, and releases the lock if it was granted meanwhile
     */
    CompletableFuture<Lease> acquireAsync();

    /**
     * Waits for the lock without a thread, but not longer than told.
     *
     * @param wait at most this long
     * @return as {@link #acquireAsync}, with empty if somebody else had the lock all the while
     * @throws IllegalArgumentException if the duration is negative
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait);

    /**
     * Runs an action under the lock. Waits as {@link #acquire} does, and releases whatever the action does.
     *
     * @param action the action
     * @param <X> what it throws
     * @throws X what the action threw, while the lease was held to the end
     * @throws InterruptedException if interrupted while waiting
     * @throws LeaseLostException if the lease was lost before the action ended
     */
    <X extends Exception> void run(LeaseAction<X> action) throws X, InterruptedException;

    /**
     * Computes something under the lock. Waits as {@link #acquire} does, and releases whatever the action does.
     *
     * @param action the action
     * @param <T> what it returns
     * @param <X> what it throws
     * @return what the action returned, while the lease was held to the end
     * @throws X what the action threw, while the lease was held to the end
     * @throws InterruptedException if interrupted while waiting
     * @throws LeaseLostException if the lease was lost before the action ended
     */
    <T extends @Nullable Object, X extends Exception> T call(LeaseFunction<T, X> action) throws X, InterruptedException;

    /**
     * Computes something under the lock, if it can be had in time.
     *
     * @param wait at most this long; zero to try once
     * @param action the action; must not return null
     * @param <T> what it returns
     * @param <X> what it throws
     * @return what the action returned, or empty if it did not run because somebody else had the lock
     * @throws X what the action threw, while the lease was held to the end
     * @throws InterruptedException if interrupted while waiting
     * @throws LeaseLostException if the lease was lost before the action ended
     * @throws IllegalArgumentException if the duration is negative
     */
    <T, X extends Exception> Optional<T> tryCall(Duration wait, LeaseFunction<T, X> action)
            throws X, InterruptedException;

    /**
     * Waits for the lock without a thread, computes something on the callback executor, and releases.
     *
     * @param action the action
     * @param <T> what it returns
     * @return completes with what the action returned once the lock is released; exceptionally as {@link #call} would
     *     throw
     */
    <T extends @Nullable Object> CompletableFuture<T> callAsync(Function<Lease, T> action);

    /**
     * Asks the store who has this lock and who waits.
     *
     * @return what the store knows, or empty if nobody has it or waits
     */
    Optional<LockInfo> inspect();

    /**
     * An action under a lease.
     *
     * @param <X> what it throws
     */
    @FunctionalInterface
    interface LeaseAction<X extends Exception> {
        /**
         * Acts.
         *
         * @param lease the lease, held at the start
         * @throws X whatever the action throws
         */
        void accept(Lease lease) throws X;
    }

    /**
     * A computation under a lease.
     *
     * @param <T> what it returns
     * @param <X> what it throws
     */
    @FunctionalInterface
    interface LeaseFunction<T extends @Nullable Object, X extends Exception> {
        /**
         * Computes.
         *
         * @param lease the lease, held at the start
         * @return the result
         * @throws X whatever the action throws
         */
        T apply(Lease lease) throws X;
    }
}
