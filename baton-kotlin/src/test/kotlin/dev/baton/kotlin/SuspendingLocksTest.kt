package dev.baton.kotlin

import dev.baton.Baton
import dev.baton.BatonClosedException
import dev.baton.BatonOptions
import dev.baton.DistributedLock
import dev.baton.Lease
import dev.baton.LeaseLostException
import dev.baton.LossCause
import dev.baton.ReleaseOutcome
import java.time.Duration as JavaDuration
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** Locks for coroutines: a second client is refused at the store until the end, and gets the lock after it. */
class SuspendingLocksTest {
    private val uri = "memory://suspending-${NUMBER.incrementAndGet()}"
    private val client = connect()
    private val other = connect()
    private val lock: DistributedLock = client.lock("stock")

    private fun connect(): Baton =
        Baton.connect(uri, BatonOptions.builder().leaseTime(LEASE).build())

    @AfterEach
    fun close() {
        client.close()
        other.close()
    }

    private fun test(body: suspend CoroutineScope.() -> Unit) = runBlocking { withTimeout(LONGEST) { body() } }

    private fun expectRefused() {
        assertThat(other.lock("stock").tryAcquire()).`as`("another client, now").isEmpty
    }

    private fun expectGranted() {
        val lease = other.lock("stock").tryAcquire(AT_ONCE)
        assertThat(lease).`as`("the lock is free").isPresent
        lease.get().close()
    }

    private suspend fun until(condition: () -> Boolean) {
        while (!condition()) {
            delay(5)
        }
    }

    private fun forceRelease() {
        assertThat(other.admin().forceReleaseNow("stock")).isPresent
    }

    enum class End {
        VALUE,
        NULL,
        ERROR,
        CANCEL,
        CANCEL_OF_THE_SCOPE,
        TIMEOUT,
    }

    @ParameterizedTest
    @EnumSource
    fun lock_isHeldUntilTheActionEnds(end: End) = test {
        val begun = CompletableDeferred<Boolean>()
        val go = CompletableDeferred<String?>()
        val scope = CoroutineScope(Job() + Dispatchers.Default)
        val work = scope.async {
            withTimeout(if (end == End.TIMEOUT) 3.seconds else LONG) {
                lock.withLock { lease ->
                    begun.complete(lease.isHeld)
                    go.await()
                }
            }
        }
        assertThat(begun.await()).isTrue()
        if (end != End.TIMEOUT) {
            expectRefused()
        }
        when (end) {
            End.VALUE -> {
                go.complete("sold")
                assertThat(work.await()).isEqualTo("sold")
            }
            End.NULL -> {
                go.complete(null)
                assertThat(work.await()).isNull()
            }
            End.ERROR -> {
                go.completeExceptionally(IllegalStateException("by a test"))
                assertThat(assertThrows<IllegalStateException> { work.await() }).hasMessage("by a test")
            }
            End.CANCEL -> work.cancelAndJoin()
            End.CANCEL_OF_THE_SCOPE -> {
                scope.cancel()
                work.join()
            }
            End.TIMEOUT -> assertThrows<TimeoutCancellationException> { work.await() }
        }
        assertThat(client.heldLeases()).`as`("the release is over when the caller goes on").isZero()
        expectGranted()
        scope.cancel()
    }

    /** Structured: the cancelled action cleans up under the lock. */
    @Test
    fun lock_isHeldUntilTheCancelledActionHasEnded() = test {
        val begun = CompletableDeferred<Unit>()
        val cleaning = CompletableDeferred<Unit>()
        val cleaned = CompletableDeferred<Unit>()
        val work = launch(Dispatchers.Default) {
            lock.withLock {
                try {
                    begun.complete(Unit)
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) {
                        cleaning.complete(Unit)
                        cleaned.await()
                    }
                }
            }
        }
        // A coroutine that is cancelled before its action begins does not clean up.
        begun.await()
        delay(20)
        work.cancel()
        cleaning.await()
        expectRefused()
        cleaned.complete(Unit)
        work.join()
        expectGranted()
    }

    @Test
    fun coroutines_takeTurns_eachWithItsOwnLease() = test {
        var inside = 0
        val tokens = mutableListOf<Long>()
        List(50) {
                launch(Dispatchers.Default) {
                    lock.withLock { lease ->
                        assertThat(++inside).isEqualTo(1)
                        tokens += lease.token()
                        delay(2)
                        inside--
                    }
                }
            }
            .joinAll()
        assertThat(tokens).hasSize(50).doesNotHaveDuplicates().isSorted
    }

    @Test
    fun cancelledWaiters_getNothing_andLeaveNothing() = test {
        var begun = false
        val held = other.lock("stock").acquire()
        val waiting =
            listOf(
                launch { lock.withLock { begun = true } },
                launch { lock.tryWithLock(LONG) { begun = true } },
                launch { lock.awaitLease() },
                launch { lock.tryAwaitLease(Duration.INFINITE) },
            )
        until { client.waitingCallers() == 4 }
        waiting.forEach { it.cancelAndJoin() }
        until { client.waitingCallers() == 0 }
        assertThat(held.isHeld).isTrue()
        held.close()
        expectGranted()
        assertThat(client.heldLeases()).isZero()
        assertThat(begun).isFalse()
    }

    /** The lease has come, and its coroutine is cancelled before a thread runs it: the coroutine never sees the lease. */
    @Test
    fun leaseOfACoroutineThatIsCancelledJustNow_isReleased() = test {
        for (acquire in
            listOf<suspend () -> Unit>(
                { lock.withLock { error("not to be run") } },
                { lock.tryWithLock(LONG) { error("not to be run") } },
                { lock.awaitLease() },
                { lock.tryAwaitLease(LONG) },
            )) {
            val held = other.lock("stock").acquire()
            val waiting = launch { acquire() }
            until { client.waitingCallers() == 1 }
            held.close()
            // This thread is the only one that could run the coroutine.
            while (client.heldLeases() == 0) {
                Thread.sleep(1)
            }
            Thread.sleep(50)
            waiting.cancelAndJoin()
            until { client.heldLeases() == 0 }
            expectGranted()
        }
    }

    /** The grant and the cancellation meet, in any order. */
    @Test
    fun leaseThatComesWhileItsCoroutineIsCancelled_isReleased() = test {
        repeat(300) {
            val before = client.lock("stock").acquire()
            val waiting = launch(Dispatchers.Default) { lock.withLock { yield() } }
            val releasing = launch(Dispatchers.Default) { before.awaitRelease() }
            waiting.cancelAndJoin()
            releasing.join()
            until { client.heldLeases() == 0 && client.waitingCallers() == 0 }
        }
        expectGranted()
    }

    @Test
    fun cancelledCoroutine_doesNotAsk() = test {
        val work = launch {
            cancel()
            lock.withLock { error("not to be run") }
        }
        work.join()
        assertThat(client.heldLeases()).isZero()
        expectGranted()
    }

    @Test
    fun lossOfTheLease_cancelsTheAction_andIsTheError() = test {
        var cancelled = false
        supervisorScope {
            val work = async(Dispatchers.Default) {
                lock.withLock {
                    try {
                        awaitCancellation()
                    } finally {
                        cancelled = true
                    }
                }
            }
            until { client.heldLeases() == 1 }
            forceRelease()
            val lost = assertThrows<LeaseLostException> { work.await() }
            assertThat(lost.lossCause()).isEqualTo(LossCause.REVOKED)
        }
        assertThat(cancelled).isTrue()
        expectGranted()
    }

    /** No heartbeat has told the client: the store says so at the release. */
    @Test
    fun lossThatTheReleaseFinds_isTheError() = test {
        assertThrows<LeaseLostException> {
            lock.withLock {
                forceRelease()
                "done"
            }
        }
        expectGranted()
    }

    @Test
    fun exceptionOfTheAction_isSuppressedByTheLoss_butAnErrorIsNot() = test {
        val lost =
            assertThrows<LeaseLostException> {
                lock.withLock {
                    forceRelease()
                    error("by a test")
                }
            }
        assertThat(lost.suppressed).hasSize(1)
        assertThat(lost.suppressed[0]).isInstanceOf(IllegalStateException::class.java).hasMessage("by a test")
        assertThrows<AssertionError> {
            lock.withLock {
                forceRelease()
                throw AssertionError("by a test")
            }
        }
    }

    /** Otherwise the cancellation of one coroutine would fail its parent. */
    @Test
    fun cancellationOfTheCaller_comesBeforeTheLoss() = test {
        val begun = CompletableDeferred<Unit>()
        val cleaning = CompletableDeferred<Unit>()
        // A failure would fail this test, too.
        val work = launch(Dispatchers.Default) {
            lock.withLock { lease ->
                try {
                    begun.complete(Unit)
                    awaitCancellation()
                } finally {
                    forceRelease()
                    withContext(NonCancellable) { until { !lease.isHeld } }
                    cleaning.complete(Unit)
                }
            }
        }
        begun.await()
        delay(20)
        work.cancelAndJoin()
        cleaning.await()
        expectGranted()
    }

    @Test
    fun actionThatReleasesItsLease_hasNotLostIt() = test {
        val outcome = lock.withLock { lease -> lease.awaitRelease().also { expectGranted() } }
        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED)
    }

    @Test
    fun lockThatAnotherHolds_isNullInTime() = test {
        val held = other.lock("stock").acquire()
        assertThat(lock.tryAwaitLease()).isNull()
        assertThat(lock.tryAwaitLease(50.milliseconds)).isNull()
        assertThat(lock.tryWithLock(50.milliseconds) { "sold" }).isNull()
        assertThat(lock.tryWithLock { "sold" }).isNull()
        assertThat(held.isHeld).isTrue()
        held.close()
        assertThat(lock.tryWithLock { "sold" }).isEqualTo("sold")
        assertThat(lock.tryWithLock(Duration.INFINITE) { "sold" }).isEqualTo("sold")
        val lease: Lease = lock.tryAwaitLease(LONG)!!
        expectRefused()
        assertThat(lease.awaitRelease()).isEqualTo(ReleaseOutcome.RELEASED)
        expectGranted()
        assertThrows<IllegalArgumentException> { lock.tryAwaitLease((-1).milliseconds) }
    }

    @Test
    fun release_ofACancelledCoroutine_isDone() = test {
        val begun = CompletableDeferred<Unit>()
        var outcome: ReleaseOutcome? = null
        val work = launch {
            val lease = lock.awaitLease()
            try {
                begun.complete(Unit)
                awaitCancellation()
            } finally {
                outcome = lease.awaitRelease()
            }
        }
        begun.await()
        delay(20)
        work.cancelAndJoin()
        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED)
        expectGranted()
    }

    @Test
    fun permitsAndReaders_areLocksToo() = test {
        client.semaphore("permits", 2).permits(2).withLock {
            assertThat(other.semaphore("permits", 2).tryAcquire()).isEmpty
        }
        client.readWriteLock("pages").read().withLock { lease ->
            assertThat(lease.isShared).isTrue()
            assertThat(other.readWriteLock("pages").write().tryAcquire()).isEmpty
            // Another coroutine on the same thread.
            client.readWriteLock("pages").read().withLock { assertThat(it.isHeld).isTrue() }
        }
        DistributedLock.allOf(client.lock("one"), client.lock("two")).withLock {
            assertThat(other.lock("two").tryAcquire()).isEmpty
        }
        assertThat(client.heldLeases()).isZero()
    }

    @Test
    fun waiting_occupiesNoThread() = test {
        val held = other.lock("stock").acquire()
        // All on the one thread of this test.
        val waiting = List(100) { async { lock.withLock { 1 } } }
        until { client.waitingCallers() == 100 }
        held.close()
        assertThat(waiting.awaitAll().sum()).isEqualTo(100)
    }

    @Test
    fun closedClient_isAnError_andNotNull() = test {
        client.close()
        assertThrows<BatonClosedException> { lock.withLock { 1 } }
        assertThrows<BatonClosedException> { lock.tryAwaitLease(10.milliseconds) }
    }

    private companion object {
        val LONG: Duration = 20.seconds

        /** For a whole test, whose waits may each take [LONG]. */
        val LONGEST: Duration = 60.seconds

        /** Longer than [AT_ONCE], so that a lease which nobody releases does not end in that time. */
        val LEASE: JavaDuration = JavaDuration.ofSeconds(6)

        /** Long enough for a machine that stalls. */
        val AT_ONCE: JavaDuration = JavaDuration.ofSeconds(4)

        val NUMBER = AtomicInteger()
    }
}
