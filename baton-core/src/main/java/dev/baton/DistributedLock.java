package dev.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
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
     * <p>The future completes on the callback executor, or on a thread of the client's own where none was set.
     * Continuations may block, but a blocked one occupies its thread: with an executor of N threads, N of them that block in
     * {@link #acquire()} keep all others from completing. A lease whose future no thread has completed within the lease
     * time is given back. As with any {@link CompletableFuture}, a continuation that is added after completion runs on the
     * thread that adds it.
     *
     * @return completes with the lease, or exceptionally as {@link #acquire} would throw, or with a {@link StoreException}
     *     if the lease was given back; cancelling it withdraws the request, and releases the lock if it was granted
     *     meanwhile
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
     * Waits for the lock without a thread, runs an action under it, and releases. The action runs on the callback
     * executor, or on a thread of the client's own where none was set; never on the calling thread. It may block.
     *
     * <p>If the action returns a {@link CompletionStage}, the lock is released when that stage ends; prefer {@link
     * #callAsyncStage}, which returns what the stage ends with.
     *
     * @param action the action
     * @param <T> what it returns
     * @return completes, once the lock is released, with what the action returned; exceptionally as {@link #call} would
     *     throw. Cancelling it withdraws the request, but does not stop an action that runs. Fails with a {@link
     *     StoreException} if no thread began the action within the lease time or the executor refused it; the lock was then
     *     given back
     */
    <T extends @Nullable Object> CompletableFuture<T> callAsync(Function<Lease, T> action);

    /**
     * As {@link #callAsync(Function)}, with an executor for this action.
     *
     * @param action the action
     * @param executor runs the action; called on a thread of the client's own
     * @param <T> what it returns
     * @return as {@link #callAsync(Function)}
     */
    <T extends @Nullable Object> CompletableFuture<T> callAsync(Function<Lease, T> action, Executor executor);

    /**
     * Waits for the lock without a thread, starts asynchronous work under it, and releases when that work ends. The action
     * that starts the work runs where that of {@link #callAsync(Function)} does.
     *
     * @param action starts the work and returns a stage that ends with it; must not return null. A stage that never ends
     *     keeps the lock, unless {@code maxHold} limits it
     * @param <T> what the stage ends with
     * @return completes, once the lock is released, with what the stage ended with, on a thread of the client's own;
     *     exceptionally with what the stage failed with, with a {@link LeaseLostException} if the lease was lost before the
     *     stage ended, and otherwise as {@link #callAsync(Function)}
     */
    <T extends @Nullable Object> CompletableFuture<T> callAsyncStage(
            Function<Lease, ? extends CompletionStage<T>> action);

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
