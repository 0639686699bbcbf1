/*
 * Locks for coroutines: [awaitLease] and [withLock] suspend, and no thread waits for a lock. The other
 * functions are variants of these two.
 *
 * All functions take any [DistributedLock]: a side of a read-write lock and permits of a semaphore, too.
 * They are thread-safe. A coroutine that holds a lock may go on on any thread, because no thread owns a
 * lease. A lease is not re-entrant: a coroutine that asks twice for a lock waits for itself.
 */
@file:JvmName("SuspendingLocks")

package dev.baton.kotlin

import dev.baton.DistributedLock
import dev.baton.Lease
import dev.baton.LeaseLostException
import dev.baton.ReleaseOutcome
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.isActive
import kotlinx.coroutines.withContext

/**
 * Acquires the lock, and suspends until it is granted. The caller releases the lease, with [awaitRelease].
 * Prefer [withLock], which releases it in every case.
 *
 * Cancellation withdraws the request, and releases the lease if it was granted meanwhile.
 *
 * @return the lease, which is held
 * @throws dev.baton.StoreException if the store did not answer in time, or refused; other exceptions are
 *   those of [DistributedLock.acquireAsync]
 * @throws CancellationException if the coroutine is cancelled; it then holds nothing
 * @since 0.1
 */
public suspend fun DistributedLock.awaitLease(): Lease {
    currentCoroutineContext().ensureActive()
    return acquireAsync().awaitOrWithdraw { it }
}

/**
 * Acquires the lock, and suspends no longer than the given time.
 *
 * @param wait the longest time to wait; zero acquires the lock only if it is free now
 * @return the lease, which is held; null if another held the lock until the time ended
 * @throws IllegalArgumentException if the duration is negative
 * @throws dev.baton.StoreException if the store did not answer in time, or refused; other exceptions are
 *   those of [DistributedLock.tryAcquireAsync]
 * @throws CancellationException if the coroutine is cancelled; it then holds nothing
 * @since 0.1
 */
public suspend fun DistributedLock.tryAwaitLease(wait: Duration = Duration.ZERO): Lease? {
    currentCoroutineContext().ensureActive()
    return tryAcquireAsync(wait.toJavaDuration()).awaitOrWithdraw { it.orElse(null) }
}

/**
 * Releases the lock, and suspends until the store has answered, or its time is over. Cancellation does not
 * interrupt it, so it may be called in a `finally` block of a cancelled coroutine.
 *
 * @return the outcome; a store that does not answer is an outcome, not an exception
 * @since 0.1
 */
public suspend fun Lease.awaitRelease(): ReleaseOutcome = withContext(NonCancellable) { releaseAsync().await() }

/**
 * Acquires the lock, runs an action in the caller's context, and releases the lock in any case. Suspends
 * while it waits, and until the release has ended.
 *
 * Cancellation while waiting withdraws the request. Cancellation during the action releases the lock when
 * the action has ended. If the lease is lost, the action is cancelled.
 *
 * As with [awaitLease], the hooks of [dev.baton.LockOptions] are not called.
 *
 * @param action receives the lease; the lock is held until the action and its children have ended
 * @return the action's result, if the lease was held to the end
 * @throws LeaseLostException if the lease was lost before the action ended, even if the action failed: then
 *   the action's exception is suppressed in it. An [Error] of the action is thrown itself
 * @throws dev.baton.StoreException if the store did not answer in time, or refused; the action did not run.
 *   Other exceptions are those of [awaitLease]
 * @throws CancellationException if the coroutine is cancelled, even if the lease was lost as well
 * @since 0.1
 */
public suspend fun <T> DistributedLock.withLock(action: suspend (Lease) -> T): T = awaitLease().during(action)

/**
 * Runs an action under the lock, as [withLock] does, if the lock can be acquired in time.
 *
 * @param wait the longest time to wait; zero runs the action only if the lock is free now
 * @param action receives the lease; does not return null, which would mean that it did not run
 * @return the action's result, if the lease was held to the end; null if the action did not run because another
 *   held the lock
 * @throws IllegalArgumentException if the duration is negative
 * @throws LeaseLostException as [withLock]
 * @throws dev.baton.StoreException as [withLock]
 * @throws CancellationException if the coroutine is cancelled
 * @since 0.1
 */
public suspend fun <T : Any> DistributedLock.tryWithLock(
    wait: Duration = Duration.ZERO,
    action: suspend (Lease) -> T,
): T? = tryAwaitLease(wait)?.during(action)

/** A lease may come while the coroutine is cancelled: then its value is dropped, and nothing else would release it. */
private suspend fun <T, R : Lease?> CompletableFuture<T>.awaitOrWithdraw(lease: (T) -> R): R =
    try {
        lease(await())
    } catch (cancelled: CancellationException) {
        if (!cancel(false)) {
            thenAccept { lease(it)?.releaseAsync() }
        }
        throw cancelled
    }

private suspend fun <T> Lease.during(action: suspend (Lease) -> T): T {
    val result = runCatching {
        coroutineScope {
            cancelOnLoss(this)
            action(this@during)
        }
    }
    val thrown = result.exceptionOrNull()
    val lost = end()
    val callerIsCancelled = thrown is CancellationException && !currentCoroutineContext().isActive
    if (lost == null || thrown is Error || callerIsCancelled) {
        return result.getOrThrow()
    }
    thrown?.let(lost::addSuppressed)
    throw lost
}

private fun Lease.cancelOnLoss(scope: CoroutineScope) {
    onLost { cause -> scope.cancel("the lease of \"${name()}\" was lost: $cause") }
}

/** Releases the lease; returns its loss if it was not held until now. The action may have released it itself. */
private suspend fun Lease.end(): LeaseLostException? {
    val releasedBefore = !isHeld && loss().isEmpty
    val outcome = awaitRelease()
    val takenAway = outcome == ReleaseOutcome.EXPIRED || outcome == ReleaseOutcome.NOT_HELD
    return if (loss().isPresent || (takenAway && !releasedBefore)) lost() else null
}

private fun Lease.lost(): LeaseLostException? =
    try {
        ensureHeld()
        null
    } catch (lost: LeaseLostException) {
        lost
    }
