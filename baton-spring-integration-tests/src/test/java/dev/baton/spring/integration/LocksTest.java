package dev.baton.spring.integration;

import static dev.baton.spring.integration.Nodes.await;
import static dev.baton.spring.integration.Nodes.elsewhere;
import static dev.baton.spring.integration.Nodes.start;
import static dev.baton.spring.integration.Nodes.until;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios with which Spring Integration tests its own registries, on two stores. */
@Timeout(60)
class LocksTest {
    private static boolean isFreeFor(BatonLockRegistry other, String key) throws Exception {
        return elsewhere(() -> {
            Lock lock = other.obtain(key);
            boolean free = lock.tryLock();
            if (free) {
                lock.unlock();
            }
            return free;
        });
    }

    private static void expectHeld(BatonLockRegistry other, String key) throws Exception {
        assertThat(isFreeFor(other, key)).as("another node gets \"%s\"", key).isFalse();
    }

    private static void expectFree(BatonLockRegistry other, String key) throws Exception {
        until("\"" + key + "\" is free for another node", () -> {
            try {
                return isFreeFor(other, key);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void expectFooHeldUntilUnlocked(Lock lock, BatonLockRegistry other) throws Exception {
        try {
            expectHeld(other, "foo");
        } finally {
            lock.unlock();
        }
        expectFree(other, "foo");
    }

    @ParameterizedTest
    @EnumSource
    void lock_keepsOtherNodesOut_untilItIsUnlocked(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            BatonLockRegistry other = nodes.registry();
            for (int round = 0; round < 10; round++) {
                Lock lock = registry.obtain("foo");
                lock.lock();
                expectFooHeldUntilUnlocked(lock, other);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void lockInterruptibly_keepsOtherNodesOut_untilItIsUnlocked(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            Lock lock = nodes.registry().obtain("foo");
            BatonLockRegistry other = nodes.registry();
            lock.lockInterruptibly();
            expectFooHeldUntilUnlocked(lock, other);
        }
    }

    @ParameterizedTest
    @EnumSource
    void lock_isReentrant_andHeldUntilTheLastUnlock(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            BatonLockRegistry other = nodes.registry();
            Lock outer = registry.obtain("foo");
            Lock inner = registry.obtain("foo");
            outer.lock();
            inner.lockInterruptibly();
            assertThat(inner.tryLock()).isTrue();
            assertThat(inner.tryLock(1, SECONDS)).isTrue();
            for (int left = 3; left > 0; left--) {
                inner.unlock();
                expectHeld(other, "foo");
            }
            outer.unlock();
            expectFree(other, "foo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void locksOfTwoKeys_areHeldBeside(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            BatonLockRegistry other = nodes.registry();
            Lock foo = registry.obtain("foo");
            Lock bar = registry.obtain("bar");
            foo.lockInterruptibly();
            bar.lockInterruptibly();
            expectHeld(other, "bar");
            bar.unlock();
            expectFree(other, "bar");
            expectHeld(other, "foo");
            foo.unlock();
            expectFree(other, "foo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void secondThread_isRefused_untilTheFirstUnlocks(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            Lock lock = registry.obtain("foo");
            lock.lock();
            expectHeld(registry, "foo");
            assertThat(elsewhere(() -> registry.obtain("foo").tryLock(50, MILLISECONDS)))
                    .isFalse();
            lock.unlock();
            expectFree(registry, "foo");
        }
    }

    /** Of one registry and of two. */
    @ParameterizedTest
    @EnumSource
    void waitingThread_getsTheLock_whenItIsUnlocked(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            for (BatonLockRegistry next : new BatonLockRegistry[] {registry, nodes.registry()}) {
                Lock lock = registry.obtain("foo");
                lock.lock();
                FutureTask<Boolean> waiting = start(() -> {
                    Lock mine = next.obtain("foo");
                    mine.lockInterruptibly();
                    mine.unlock();
                    return true;
                });
                assertThatThrownBy(() -> waiting.get(50, MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                lock.unlock();
                assertThat(await(waiting)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void unlock_byAnotherThread_isRefused_andChangesNothing(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            Lock lock = registry.obtain("foo");
            lock.lock();
            assertThatThrownBy(() -> elsewhere(() -> {
                        lock.unlock();
                        return true;
                    }))
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("foo");
            expectHeld(nodes.registry(), "foo");
            lock.unlock();
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }
    }

    /** A plain counter is right only if one thread at a time has the lock. */
    @ParameterizedTest
    @EnumSource
    void threadsOfTwoNodes_excludeEachOther(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            int[] count = new int[1];
            FutureTask<?>[] tasks = new FutureTask<?>[4];
            BatonLockRegistry[] registries = {nodes.registry(), nodes.registry()};
            for (int i = 0; i < tasks.length; i++) {
                BatonLockRegistry registry = registries[i % 2];
                tasks[i] = start(() -> {
                    for (int round = 0; round < 25; round++) {
                        Lock lock = registry.obtain("count");
                        lock.lock();
                        int before = count[0];
                        Thread.yield();
                        count[0] = before + 1;
                        lock.unlock();
                    }
                    return true;
                });
            }
            for (FutureTask<?> task : tasks) {
                await(task);
            }
            assertThat(count[0]).isEqualTo(100);
        }
    }

    /** The queue is the store's: the thread leaves it, and the next one is not kept waiting. */
    @ParameterizedTest
    @EnumSource
    void waitingThread_thatIsInterrupted_holdsNothing(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            BatonLockRegistry other = nodes.registry();
            Lock lock = registry.obtain("foo");
            lock.lock();
            Thread[] waiter = new Thread[1];
            FutureTask<Boolean> waiting = start(() -> {
                waiter[0] = Thread.currentThread();
                other.obtain("foo").lockInterruptibly();
                return true;
            });
            until("it waits", () -> waiter[0] != null && waiter[0].getState() == Thread.State.WAITING
                    || waiter[0] != null && waiter[0].getState() == Thread.State.TIMED_WAITING);
            waiter[0].interrupt();
            assertThatThrownBy(() -> await(waiting)).isInstanceOf(InterruptedException.class);
            lock.unlock();
            expectFree(registry, "foo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void lock_ofAnInterruptedThread_isAcquiredAndReleased_andKeepsTheFlag(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            Lock lock = nodes.registry().obtain("foo");
            BatonLockRegistry other = nodes.registry();
            assertThat(elsewhere(() -> {
                        Thread.currentThread().interrupt();
                        lock.lock();
                        boolean kept = Thread.interrupted();
                        expectHeld(other, "foo");
                        Thread.currentThread().interrupt();
                        lock.unlock();
                        return kept && Thread.currentThread().isInterrupted();
                    }))
                    .isTrue();
            expectFree(other, "foo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void locksOfOneKey_areEqual_andOthersAreNot(Nodes.Kind store) {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            assertThat(registry.obtain("foo")).isEqualTo(registry.obtain("foo")).hasSameHashCodeAs(registry.obtain("foo"));
            assertThat(registry.obtain("foo"))
                    .isNotEqualTo(registry.obtain("bar"))
                    .isNotEqualTo(registry.withPrefix("a:").obtain("foo"))
                    .isNotEqualTo(nodes.registry().obtain("foo"));
            assertThat(registry.obtain("foo")).hasToString("BatonLockRegistry[foo]");
        }
    }

    @ParameterizedTest
    @EnumSource
    void key_isTheNameOfTheLock_afterThePrefix(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            Baton client = nodes.client();
            BatonLockRegistry registry = new BatonLockRegistry(client);
            Lock plain = registry.obtain("foo");
            Lock prefixed = registry.withPrefix("si:").obtain("foo");
            plain.lock();
            prefixed.lock();
            Baton other = nodes.client();
            assertThat(other.lock("foo").tryAcquire()).isEmpty();
            assertThat(other.lock("si:foo").tryAcquire()).isEmpty();
            plain.unlock();
            Optional<Lease> free = other.lock("foo").tryAcquire(Nodes.LONG);
            assertThat(free).isPresent();
            assertThat(other.lock("si:foo").tryAcquire()).isEmpty();
            prefixed.unlock();
        }
    }

    @ParameterizedTest
    @EnumSource
    void key_thatIsNoText_orNoName_isRefused(Nodes.Kind store) {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            assertThatThrownBy(() -> registry.obtain(UUID.randomUUID()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must be a String, but is a java.util.UUID");
            assertThatThrownBy(() -> registry.obtain(null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("null");
            assertThatThrownBy(() -> registry.obtain("")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> registry.withPrefix("x".repeat(1_000)).obtain("y".repeat(25)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1024 bytes");
        }
    }

    @ParameterizedTest
    @EnumSource
    void newCondition_isRefused(Nodes.Kind store) {
        try (Nodes nodes = store.nodes()) {
            Lock lock = nodes.registry().obtain("foo");
            assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    /** Of a held lock, too: it can still be unlocked. */
    @ParameterizedTest
    @EnumSource
    void expireUnusedOlderThan_takesNoLockAway(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            Lock held = registry.obtain("held");
            Lock unused = registry.obtain("unused");
            held.lock();
            registry.expireUnusedOlderThan(0);
            expectHeld(nodes.registry(), "held");
            held.unlock();
            assertThat(unused.tryLock()).isTrue();
            unused.unlock();
        }
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("unchecked") // for Spring Integration 7, whose parameters the registry does not name
    void executeLocked_runsUnderTheLock_andUnlocks(Nodes.Kind store) throws Throwable {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            BatonLockRegistry other = nodes.registry();
            AtomicInteger runs = new AtomicInteger();
            registry.executeLocked("foo", () -> {
                expectHeld(other, "foo");
                runs.incrementAndGet();
            });
            assertThat(runs).hasValue(1);
            Lock held = other.obtain("foo");
            elsewhere(() -> {
                held.lock();
                return true;
            });
            assertThatThrownBy(() -> registry.executeLocked("foo", Duration.ofMillis(50), () -> {
                        runs.incrementAndGet();
                    }))
                    .isInstanceOf(TimeoutException.class);
            assertThat(runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void renewLock_extendsTheLock_butNotForAThreadWithoutIt(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = nodes.registry();
            Lock lock = registry.obtain("foo");
            lock.lock();
            registry.renewLock("foo");
            registry.renewLock("foo", Duration.ofMinutes(1));
            assertThat(nodes.client().lock("foo").inspect().orElseThrow().holders().get(0).remaining())
                    .isGreaterThan(Duration.ofSeconds(45));
            assertThatThrownBy(() -> elsewhere(() -> {
                        registry.renewLock("foo");
                        return true;
                    }))
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("foo");
            lock.unlock();
            assertThatThrownBy(() -> registry.renewLock("foo")).isInstanceOf(IllegalMonitorStateException.class);
        }
    }
}
