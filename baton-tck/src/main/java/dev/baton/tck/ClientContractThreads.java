package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.ReentrantDistributedLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

/** The view in which a thread owns the lock. */
@SuppressWarnings("LockNotBeforeTry") // the test calls lock and unlock one by one
public abstract class ClientContractThreads extends ClientContract {
    /** For subclasses. */
    protected ClientContractThreads() {}

    @EachMode
    void reentrantLock_lockedAgain_countsWithoutAskingTheStore(Mode mode) throws Exception {
        FaultyStore counted = new FaultyStore();
        Baton client = connect(
                options()
                        .leaseTime(Duration.ofSeconds(30))
                        .grace(Duration.ofSeconds(60))
                        .build(),
                counted);
        ReentrantDistributedLock lock = client.reentrantLock("counted");
        lock.lock();
        long calls = callsButHeartbeats(counted);
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.tryLock(Duration.ZERO, lease())).isTrue();
        assertThat(client.reentrantLock("counted").getHoldCount()).isEqualTo(6);
        for (int i = 0; i < 1_000; i++) {
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertThat(lock.currentLease().orElseThrow().isHeld()).isTrue();
        }
        for (int i = 0; i < 5; i++) {
            lock.unlock();
        }
        assertThat(lock.getHoldCount()).isEqualTo(1);
        assertThat(lock.remainingLease()).isPositive();
        assertThat(callsButHeartbeats(counted)).isEqualTo(calls);
        assertThat(lock.isLocked()).isTrue();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
    }

    /** On a slow machine, a lease may be renewed meanwhile. */
    private static long callsButHeartbeats(FaultyStore counted) {
        return Stream.of(FaultyStore.Call.values())
                .filter(call -> call != FaultyStore.Call.HEARTBEAT)
                .mapToLong(counted::count)
                .sum();
    }

    @EachMode
    void reentrantLock_ofAnotherThread_isNeitherHeldNorUnlocked(Mode mode) throws Exception {
        Baton client = connect();
        ReentrantDistributedLock lock = client.reentrantLock("mine");
        lock.lock();
        assertThat(mode.start(lock::isHeldByCurrentThread).get()).isFalse();
        assertThat(mode.start(() -> lock.tryLock(Duration.ofMillis(50))).get()).isFalse();
        Work<Boolean> unlocker = mode.start(() -> {
            lock.unlock();
            return true;
        });
        assertThatThrownBy(unlocker::get)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("mine");
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @EachMode
    void reentrantLockAndLock_ofOneName_excludeEachOther(Mode mode) throws Exception {
        Baton client = connect();
        ReentrantDistributedLock owned = client.reentrantLock("both");
        owned.lock();
        assertThat(mode.tryAcquire(client.lock("both"), Duration.ZERO)).isEmpty();
        owned.unlock();
        Lease lease = mode.acquire(client.lock("both"));
        assertThat(owned.tryLock()).isFalse();
        assertThat(owned.tryLock(Duration.ofMillis(50))).isFalse();
        assertThat(owned.isHeldByCurrentThread()).isFalse();
        mode.release(lease);
        assertThat(owned.tryLock()).isTrue();
        owned.unlock();
    }

    @EachMode
    void reentrantLock_thatIsLost_throwsOnceAndIsThenTakenAnew(Mode mode) throws Exception {
        ReentrantDistributedLock lock = connect().reentrantLock("lost");
        lock.lock();
        lock.lock();
        connect().admin().forceReleaseNow("lost");
        until("lost", () -> !lock.isHeldByCurrentThread());
        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class).hasMessageContaining("lost");
        assertThat(lock.getHoldCount()).isEqualTo(2);
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @EachMode
    void reentrantLock_whoseFixedLeaseRanOut_isTakenAnewByItsThread(Mode mode) throws Exception {
        Duration lease = lease(Duration.ofMillis(200));
        ReentrantDistributedLock lock = connect().reentrantLock("throttle");
        for (int i = 0; i < 2; i++) {
            assertThat(lock.tryLock(Duration.ZERO, lease)).isTrue();
            assertThat(lock.getHoldCount()).isEqualTo(1);
            until("over", () -> !lock.isHeldByCurrentThread());
        }
        assertThat(lock.tryLock(PATIENCE)).isTrue();
        lock.unlock();
    }

    @EachMode
    void reentrantLock_withAFixedLease_endsByItself(Mode mode) throws Exception {
        Duration lease = lease();
        ReentrantDistributedLock lock = connect().reentrantLock("fixed");
        lock.lock(lease);
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(2);
        assertThat(lock.remainingLease()).isBetween(Duration.ofMillis(1), lease);
        until("over", () -> !lock.isHeldByCurrentThread());
        ReentrantDistributedLock other = connect().reentrantLock("fixed");
        assertThat(mode.start(() -> other.tryLock(PATIENCE.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS))
                        .get())
                .isTrue();
        assertThat(lock.tryLock(-1, lease.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
    }

    @EachMode
    void reentrantLock_whoseLeaseWasReleased_isTakenAnew(Mode mode) throws Exception {
        ReentrantDistributedLock lock = connect().reentrantLock("by hand");
        lock.lock();
        lock.currentLease().orElseThrow().release();
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
    }

    @EachMode
    void forceUnlock_byTheClientThatHolds_freesAtOnce(Mode mode) throws Exception {
        Baton client = connect(options()
                .leaseTime(Duration.ofSeconds(30))
                .grace(Duration.ofSeconds(30))
                .build());
        ReentrantDistributedLock lock = client.reentrantLock("forced");
        Baton other = connect(options()
                .leaseTime(Duration.ofSeconds(30))
                .grace(Duration.ofSeconds(30))
                .build());
        lock.lock();
        assertThat(lock.requestRelease()).isTrue();
        within(MARGIN, "free", () -> !other.reentrantLock("forced").isLocked());
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        lock.unlock();
        lock.lock();
        Lease lease = lock.currentLease().orElseThrow();
        assertThat(other.reentrantLock("forced").forceUnlockNow()).isTrue();
        assertThat(other.reentrantLock("forced").isLocked()).isFalse();
        client.admin().forceReleaseNow("forced");
        within(MARGIN, "told", () -> !lease.isHeld());
        lock.unlock();
    }

    @EachMode
    @DisplayName("P20: reentrantLock_lockedByAnInterruptedThread_isHeldAndKeepsTheFlag")
    void reentrantLock_lockedByAnInterruptedThread_isHeldAndKeepsTheFlag(Mode mode) throws Exception {
        Baton client = connect();
        Lease held = mode.acquire(connect().lock("stubborn"));
        Work<Boolean> stubborn = mode.start(() -> {
            ReentrantDistributedLock lock = client.reentrantLock("stubborn");
            lock.lock();
            boolean flag = Thread.currentThread().isInterrupted();
            boolean mine = lock.isHeldByCurrentThread();
            lock.unlock();
            return flag && mine && Thread.interrupted();
        });
        Work<Boolean> yielding = mode.start(() -> {
            client.reentrantLock("stubborn").lockInterruptibly();
            return true;
        });
        until("both wait", () -> stubborn.isWaiting() && yielding.isWaiting());
        stubborn.interrupt();
        yielding.interrupt();
        assertThatThrownBy(yielding::get).isInstanceOf(InterruptedException.class);
        throughout(Duration.ofMillis(50), "still waits", () -> !stubborn.isDone());
        mode.release(held);
        assertThat(stubborn.get()).isTrue();
    }

    @EachMode
    void forceUnlock_takesTheLockFromWhoeverHasIt(Mode mode) throws Exception {
        ReentrantDistributedLock owned = connect().reentrantLock("forced");
        ReentrantDistributedLock other = connect().reentrantLock("forced");
        owned.lock();
        assertThat(other.requestRelease()).isTrue();
        assertThat(mode.start(() -> other.tryLock(PATIENCE)).get()).isTrue();
        assertThat(owned.isHeldByCurrentThread()).isFalse();
        owned.unlock();
    }
}
