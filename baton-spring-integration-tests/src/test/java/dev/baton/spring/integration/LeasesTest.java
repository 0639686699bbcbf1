package dev.baton.spring.integration;

import static dev.baton.spring.integration.Nodes.elsewhere;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.BatonOptions;
import dev.baton.LeaseLostException;
import dev.baton.LockOptions;
import dev.baton.StoreException;
import dev.baton.test.TestStore;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.Lock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Leases that are renewed, end or are lost, and a store that does not answer, with a clock that the tests move. */
@Timeout(60)
class LeasesTest {
    private final TestStore store = TestStore.create();
    private final Baton client = store.connect(
            BatonOptions.builder().commandTimeout(Duration.ofMillis(200)).build());
    private final BatonLockRegistry registry = new BatonLockRegistry(client);
    private final Lock lock = registry.obtain("foo");

    @AfterEach
    void closeStore() {
        store.close();
    }

    private static void expectLoss(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasMessageContaining("foo")
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    private void loseFoo() {
        assertThat(store.expire("foo")).isTrue();
    }

    /** Lets the client forget holds that ended. */
    private void longAfterwards() {
        lockOthers();
        store.advance(Duration.ofSeconds(30));
        lockOthers();
        assertThat(client.reentrantLock("foo").getHoldCount()).isZero();
    }

    private void lockOthers() {
        for (int i = 0; i < 300; i++) {
            Lock each = registry.obtain("other " + i);
            each.lock();
            each.unlock();
        }
    }

    private final BatonLockRegistry fixed =
            registry.with(LockOptions.defaults().withLeaseTime(Duration.ofSeconds(10)));
    private final BatonLockRegistry other = new BatonLockRegistry(store.connect());

    private void expectHeld(String key) throws Exception {
        assertThat(elsewhere(() -> other.obtain(key).tryLock()))
                .as("another node gets \"%s\"", key)
                .isFalse();
    }

    private void expectFree(String key) throws Exception {
        assertThat(elsewhere(() -> other.obtain(key).tryLock()))
                .as("another node gets \"%s\"", key)
                .isTrue();
    }

    @Test
    void lock_isRenewed_andOneWithAFixedTimeEnds_unlessItIsRenewedByHand() throws Exception {
        Lock left = fixed.obtain("left");
        Lock extended = fixed.obtain("extended");
        Lock prolonged = fixed.obtain("prolonged");
        lock.lock();
        left.lock();
        extended.lock();
        prolonged.lock();
        store.advance(Duration.ofSeconds(8));
        registry.renewLock("foo");
        fixed.renewLock("extended");
        fixed.renewLock("prolonged", Duration.ofMinutes(2));
        store.advance(Duration.ofSeconds(8));
        expectHeld("extended");
        expectFree("left");
        store.advance(Duration.ofSeconds(80));
        expectHeld("foo");
        expectFree("extended");
        expectHeld("prolonged");
        lock.unlock();
        prolonged.unlock();
        assertThatThrownBy(left::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(extended::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    /** As {@code DistributedLock} has it in Spring Integration 7. */
    @Test
    void lockWithATime_endsWithIt_unlessItIsRenewed() throws Exception {
        KeyLock one = (KeyLock) registry.obtain("one");
        KeyLock two = (KeyLock) registry.obtain("two");
        one.lock(Duration.ofSeconds(5));
        assertThat(two.tryLock(Duration.ofSeconds(1), Duration.ofSeconds(5))).isTrue();
        expectHeld("one");
        store.advance(Duration.ofSeconds(4));
        registry.renewLock("two"); // by its own time
        store.advance(Duration.ofSeconds(4));
        expectFree("one");
        expectHeld("two");
        store.advance(Duration.ofSeconds(4));
        expectFree("two");
    }

    @Test
    void unlock_afterALoss_saysSo_once() {
        lock.lock();
        loseFoo();
        expectLoss(lock::unlock);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void unlock_longAfterALoss_saysSo_onceTheClientHasForgottenIt() {
        lock.lock();
        lock.lock();
        loseFoo();
        longAfterwards();
        lock.unlock();
        expectLoss(lock::unlock);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void onlyTheLastUnlock_saysThatTheLeaseIsLost() {
        lock.lock();
        lock.lock();
        loseFoo();
        lock.unlock();
        expectLoss(lock::unlock);
    }

    @Test
    void lockAgain_insideALostSection_isRefused_untilItIsUnlocked() {
        lock.lock();
        loseFoo();
        expectLoss(lock::lock);
        expectLoss(lock::tryLock);
        expectLoss(lock::lockInterruptibly);
        expectLoss(lock::unlock);
        lock.lock();
        lock.unlock();
    }

    /** The client would acquire it again, beside a section that relies on the first lease. */
    @Test
    void lockAgain_afterItsFixedTime_isRefused_untilItIsUnlocked() throws Exception {
        Lock ending = fixed.obtain("foo");
        ending.lock();
        store.advance(Duration.ofSeconds(11));
        expectLoss(ending::lock);
        expectFree("foo");
        expectLoss(ending::unlock);
    }

    @Test
    void renewLock_afterALoss_isRefused() {
        lock.lock();
        loseFoo();
        assertThatThrownBy(() -> registry.renewLock("foo"))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> registry.renewLock("foo", Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void lockOfASilentStore_cannotBeAcquired() throws Exception {
        store.setSilent(true);
        FutureTask<Boolean> trying = tryLockWhileTimePasses();
        assertThatThrownBy(() -> Nodes.await(trying))
                .isInstanceOf(CannotAcquireLockException.class)
                .hasMessageContaining("foo")
                .hasCauseInstanceOf(StoreException.class);
        store.setSilent(false);
        // The client may first have to undo what got no answer, by the clock of the test.
        assertThat(Nodes.await(tryLockWhileTimePasses())).isTrue();
    }

    private FutureTask<Boolean> tryLockWhileTimePasses() throws Exception {
        FutureTask<Boolean> trying = Nodes.start(() -> lock.tryLock());
        Nodes.until("it is answered", () -> {
            store.advance(Duration.ofSeconds(1));
            return trying.isDone();
        });
        return trying;
    }

    @Test
    void unlock_whileTheStoreIsSilent_returns_andTheClientRepeatsIt() throws Exception {
        lock.lock();
        store.setSilent(true);
        lock.unlock();
        store.setSilent(false);
        store.advance(Duration.ofSeconds(5));
        expectFree("foo");
    }

    @Test
    void lockOfASilentStore_isLost_whenItsLeaseEnds() {
        lock.lock();
        store.setSilent(true);
        store.advance(Duration.ofSeconds(29));
        lock.lock();
        lock.unlock();
        store.advance(Duration.ofSeconds(2));
        expectLoss(lock::lock);
        expectLoss(lock::unlock);
    }

    @Test
    void closedClient_hasNoLocks() {
        lock.lock();
        client.close();
        expectLoss(lock::unlock);
        assertThatThrownBy(lock::tryLock)
                .isInstanceOf(CannotAcquireLockException.class)
                .hasCauseInstanceOf(BatonClosedException.class);
    }

    @Test
    void setRenewalTaskScheduler_isNotNeeded_andRefused_whereLeasesEnd() {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        registry.setRenewalTaskScheduler(scheduler);
        assertThatThrownBy(() -> fixed.setRenewalTaskScheduler(scheduler))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("withLeaseTime");
    }

    @Test
    void thread_remembersNothing_onceItHasUnlocked() throws Exception {
        assertThat(elsewhere(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        Lock each = registry.obtain("key " + i);
                        each.lock();
                        each.lock();
                        assertThat(Holds.size()).isEqualTo(1);
                        each.unlock();
                        each.unlock();
                    }
                    return Holds.size();
                }))
                .isZero();
    }

    /** Whose leases ended long ago. */
    @Test
    void threadThatNeverUnlocks_remembersAThousandHolds() throws Exception {
        assertThat(elsewhere(() -> {
                    for (int i = 0; i < 2 * Holds.MOST; i++) {
                        fixed.obtain("key " + i).lock();
                        if (i % 500 == 499) {
                            store.advance(Duration.ofSeconds(11));
                        }
                    }
                    return Holds.size();
                }))
                .isBetween(1, Holds.MOST);
    }

    @Test
    void registry_keepsNoLockAlive() throws InterruptedException {
        WeakReference<Lock> obtained = new WeakReference<>(registry.obtain("used once"));
        Nodes.until("it is collected", () -> {
            System.gc();
            return obtained.get() == null;
        });
    }
}
