package dev.baton;

import dev.baton.internal.client.Connector;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lock that all clients of a namespace know by its name. Clients get it in the order in which they asked; within one
 * client, a release hands the lock to the next local caller for a bounded time.
 *
 * <p>Immutable, thread-safe and without state of its own: create as many as you like. Every method may throw
 * {@link StoreException} if the store gives no answer, {@link TooManyWaitersException} if too many callers of this
 * client wait, {@link BatonException} if this name stands for another kind of lock, and {@link BatonClosedException}
 * once the {@link Baton} is closed; the caller then holds nothing.
 *
 * @since 0.1
 */
public interface DistributedLock {
    /**
     * Returns several locks that are held together, all or none, as {@link Baton#allOf} does. They may be of several
     * clients, on several stores. Sends nothing to a store.
     *
     * <p>They are acquired one after the other, in the order of their namespaces' identities and the bytes of their names,
     * and not in the order of the arguments; addresses play no part. So callers who hold nothing else cannot wait for each
     * other in a circle. {@link #tokenIn} tells their tokens.
     *
     * <p>Each lock keeps its own lease time, {@code maxHold}, lock-delay and {@code atLeast}. If a loss interrupts the
     * holder of one, so does the loss of the group. The hooks of all run in the order of the locks. {@link #with} replaces
     * the options of all. The client of the first lock runs actions; a future completes on a thread of any of the clients, or
     * on its callback executor.
     *
     * @param locks locks, sides of read-write locks, permits or groups, which {@link Baton} clients have made; at least one,
     *     and no name of a namespace twice
     * @return the locks as one
     * @throws IllegalArgumentException if there is no lock, one twice, or one that is not Baton's own
     */
    static DistributedLock allOf(DistributedLock... locks) {
        return Connector.allOf(locks);
    }

    /**
     * Returns the lock's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the fencing token that a lease has for this lock. For leases of {@link #allOf}, which may have one name of
     * several namespaces.
     *
     * @param lease a lease of this lock, of another view of it, or of a group with this lock: what counts is its namespace
     *     and its name
     * @return the token, positive
     * @throws IllegalArgumentException if the lease is of other locks, or is not Baton's own
     * @throws UnsupportedOperationException if this is a group, which has a token for each of its locks
     */
    long tokenIn(Lease lease);

    /**
     * Returns this lock with other options.
     *
     * @param options how to hold it
     * @return another view of the same lock
     */
    DistributedLock with(LockOptions options);

    /**
     * Acquires the lock, and waits for it if necessary. Retries for {@link BatonOptions#storeTimeout} if the store does
     * not answer.
     *
     * @return the lease, which is held
     * @throws InterruptedException if the thread was interrupted before or while it waited; it then holds nothing
     * @throws StoreException if the store did not answer in time, or refused
     */
    Lease acquire() throws InterruptedException;

    /**
     * Acquires the lock if it is free now. Never overtakes a waiter.
     *
     * @return the lease, or empty if another holds the lock or waits for it
     * @throws StoreException if the store did not answer in time, or refused; or if it may have forgotten the holder and
     *     is in a {@linkplain GracePeriod grace period}
     */
    Optional<Lease> tryAcquire();

    /**
     * Acquires the lock, and waits for it no longer than the given time, even if the store does not answer.
     *
     * @param wait the longest time to wait; zero is {@link #tryAcquire()}
     * @return the lease, or empty if another held the lock until the time ended
     * @throws InterruptedException if the thread was interrupted before or while it waited; it then holds nothing
     * @throws IllegalArgumentException if the duration is negative
     * @throws StoreException if the store did not answer in time, or refused; or if the time ended in a
     *     {@linkplain GracePeriod grace period} of the store, and the store knows of no holder, but may have forgotten one
     */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Acquires the lock without blocking a thread.
     *
     * <p>The future completes on the callback executor, or on a thread of the client if none is set.
     * Continuations may block, but a blocked one occupies its thread: with an executor of N threads, N of them that
     * block in {@link #acquire()} keep all others from completing. A lease whose future no thread has completed within
     * the lease time is given back. As with any {@link CompletableFuture}, a continuation that is added after
     * completion runs on the thread that adds it.
     *
     * @return completes with the lease, or exceptionally as {@link #acquire} would throw, or with a {@link
     *     StoreException} if the lease was given back; cancelling it withdraws the request, and releases the lock if it
     *     was granted meanwhile
     */
    CompletableFuture<Lease> acquireAsync();

    /**
     * Acquires the lock, without blocking a thread, if it is free now. Never overtakes a waiter.
     *
     * @return as {@link #acquireAsync}, with empty if another holds the lock or waits for it
     */
    default CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return tryAcquireAsync(Duration.ZERO);
    }

    /**
     * Acquires the lock without blocking a thread, and waits for it no longer than the given time.
     *
     * @param wait the longest time to wait
     * @return as {@link #acquireAsync}, with empty if another held the lock until the time ended
     * @throws IllegalArgumentException if the duration is negative
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait);

    /**
     * Acquires the lock as {@link #acquire} does, runs an action, and releases the lock in any case.
     *
     * @param action the action
     * @param <X> the type of its exceptions
     * @throws X the action's exception, if the lease was held to the end
     * @throws InterruptedException if interrupted while waiting
     * @throws LeaseLostException if the lease was lost before the action ended
     * @throws StoreException if the store did not answer in time, or refused
     */
    <X extends Throwable> void run(LeaseAction<X> action) throws X, InterruptedException;

    /**
     * Acquires the lock as {@link #acquire} does, computes a result, and releases the lock in any case.
     *
     * @param action the action
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the action's result, if the lease was held to the end
     * @throws X the action's exception, if the lease was held to the end
     * @throws InterruptedException if interrupted while waiting
     * @throws LeaseLostException if the lease was lost before the action ended
     * @throws StoreException if the store did not answer in time, or refused
     */
    <T extends @Nullable Object, X extends Throwable> T call(LeaseFunction<T, X> action) throws X, InterruptedException;

    /**
     * Runs an action under the lock if the lock can be acquired in time.
     *
     * @param wait the longest time to wait; zero to try once
     * @param action the action
     * @param <X> the type of its exceptions
     * @return true if the action ran; false if it did not run because another held the lock
     * @throws X the action's exception, if the lease was held to the end
     * @throws InterruptedException if interrupted while waiting
     * @throws LeaseLostException if the lease was lost before the action ended
     * @throws IllegalArgumentException if the duration is negative
     * @throws StoreException if the store did not answer in time, or refused
     */
    <X extends Throwable> boolean tryRun(Duration wait, LeaseAction<X> action) throws X, InterruptedException;

    /**
     * Computes a result under the lock if the lock can be acquired in time.
     *
     * @param wait the longest time to wait; zero to try once
     * @param action the action; must not return null
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the action's result, or empty if it did not run because another held the lock
     * @throws X the action's exception, if the lease was held to the end
     * @throws InterruptedException if interrupted while waiting
     * @throws LeaseLostException if the lease was lost before the action ended
     * @throws IllegalArgumentException if the duration is negative
     * @throws StoreException if the store did not answer in time, or refused
     */
    <T, X extends Throwable> Optional<T> tryCall(Duration wait, LeaseFunction<T, X> action)
            throws X, InterruptedException;

    /**
     * Acquires the lock without blocking a thread, runs an action, and releases the lock. The action runs where that of
     * {@link #supplyAsync(Function)} does.
     *
     * @param action the action; may block
     * @return completes as that of {@link #supplyAsync(Function)}, with null
     */
    default CompletableFuture<@Nullable Void> runAsync(Consumer<Lease> action) {
        Function<Lease, @Nullable Void> nothing = lease -> {
            action.accept(lease);
            return null;
        };
        return supplyAsync(nothing);
    }

    /**
     * Acquires the lock without blocking a thread, computes a result, and releases the lock. The action runs on the
     * callback executor, or on a thread of the client if none is set; never on the calling thread.
     *
     * <p>If the action returns a {@link CompletionStage}, the lock is released when that stage ends; prefer {@link
     * #callAsync}, which returns the stage's result.
     *
     * @param action the action; may block
     * @param <T> the type of its result
     * @return completes, once the lock is released, with the action's result; exceptionally as {@link #call} would
     *     throw. Cancelling it withdraws the request, but does not stop an action that runs. Fails with a {@link
     *     StoreException} if no thread began the action within the lease time or the executor refused it; the lock was
     *     then given back
     */
    <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action);

    /**
     * As {@link #supplyAsync(Function)}, with an executor for this action.
     *
     * @param action the action; may block
     * @param executor runs the action; a thread of the client calls it
     * @param <T> the type of its result
     * @return as {@link #supplyAsync(Function)}
     */
    <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action, Executor executor);

    /**
     * Acquires the lock without blocking a thread, starts asynchronous work, and releases the lock when that ends. The
     * action that starts the work runs where that of {@link #supplyAsync(Function)} does.
     *
     * @param action starts the work and returns a stage that ends with it; must not return null. A stage that never
     *     ends keeps the lock, unless {@code maxHold} limits it
     * @param <T> the type of the stage's result
     * @return completes, once the lock is released, with the stage's result, on a thread of the client;
     *     exceptionally with the stage's exception, with a {@link LeaseLostException} if the lease was lost before the
     *     stage ended, and otherwise as {@link #supplyAsync(Function)}
     */
    <T extends @Nullable Object> CompletableFuture<T> callAsync(Function<Lease, ? extends CompletionStage<T>> action);

    /**
     * Asks the store whether the lock has a holder.
     *
     * @return true if it has; the answer may be outdated when the caller reads it
     * @throws StoreException if the store did not answer in time, or refused
     */
    default boolean isLocked() {
        return inspect().filter(info -> !info.holders().isEmpty()).isPresent();
    }

    /**
     * Asks the store who holds this lock and who waits for it.
     *
     * @return a description of the lock, or empty if the lock has neither a holder nor waiters
     * @throws StoreException if the store did not answer in time, or refused
     */
    Optional<LockInfo> inspect();

    /**
     * An action under a lease.
     *
     * @param <X> the type of its exceptions
     */
    @FunctionalInterface
    interface LeaseAction<X extends Throwable> {
        /**
         * Runs.
         *
         * @param lease the lease, held at the start
         * @throws X any exception of the action
         */
        void accept(Lease lease) throws X;
    }

    /**
     * A computation under a lease.
     *
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     */
    @FunctionalInterface
    interface LeaseFunction<T extends @Nullable Object, X extends Throwable> {
        /**
         * Computes.
         *
         * @param lease the lease, held at the start
         * @return the result
         * @throws X any exception of the action
         */
        T apply(Lease lease) throws X;
    }
}
