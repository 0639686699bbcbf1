package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.BatonEvent;
import dev.baton.BatonException;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.spi.Capabilities.Reach;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

/** Locks of several clients and namespaces that are held together. */
public abstract class ClientContractGroupsAcross extends ClientContract {
    private static final Duration SHORT = Duration.ofMillis(30);

    /** For subclasses. */
    protected ClientContractGroupsAcross() {}

    /** A client of each of two namespaces. */
    private record Pair(Baton here, Baton there, Events events) {
        /** The lock at a place: the namespaces take turns, and have the same names. */
        DistributedLock lock(int place) {
            return of(place).lock("n" + place / 2);
        }

        Baton of(int place) {
            return place % 2 == 0 ? here : there;
        }

        List<DistributedLock> locks(int number) {
            return IntStream.range(0, number).mapToObj(this::lock).toList();
        }

        DistributedLock all(int number) {
            return together(locks(number));
        }

        boolean isFree(int number) {
            return locks(number).stream().allMatch(lock -> lock.inspect().isEmpty());
        }

        void close() {
            here.close();
            there.close();
        }
    }

    private Pair pair() {
        return pair(lease());
    }

    private Pair pair(Duration lease) {
        Events events = new Events();
        return new Pair(
                connect(options().leaseTime(lease).listener(events).build()),
                elsewhere(options().leaseTime(lease).listener(events), new FaultyStore()),
                events);
    }

    private Baton elsewhere(BatonOptions.Builder options, FaultyStore faults) {
        return connect(options.namespace(StoreFixture.OTHER_NAMESPACE).build(), faults);
    }

    private static DistributedLock together(List<DistributedLock> locks) {
        return DistributedLock.allOf(locks.toArray(DistributedLock[]::new));
    }

    @EachMode
    void allOf_acrossNamespaces_holdsEachLock_withATokenOfItsOwn_andReleasesAll(Mode mode) throws Exception {
        Pair own = pair();
        Pair other = pair();
        Lease all = mode.acquire(own.all(3));
        assertThat(all.isHeld()).isTrue();
        assertThat(all.isShared()).isFalse();
        assertThat(all.name()).isEqualTo(own.all(3).name()).isEqualTo("n0, n0, n1");
        assertThat(all.remaining()).isPositive();
        for (int place = 0; place < 3; place++) {
            assertThat(mode.tryAcquire(other.lock(place), Duration.ZERO)).isEmpty();
            // Any view of the lock will do, also one of another client.
            assertThat(own.lock(place).tokenIn(all))
                    .isPositive()
                    .isEqualTo(other.lock(place).with(LockOptions.defaults()).tokenIn(all));
        }
        assertThat(all.token("n1")).isEqualTo(own.lock(2).tokenIn(all));
        assertThatIllegalArgumentException().isThrownBy(() -> all.token("n0")).withMessageContaining("tokenIn");
        assertThatIllegalArgumentException().isThrownBy(() -> own.lock(3).tokenIn(all));
        assertThatThrownBy(all::token).isInstanceOf(UnsupportedOperationException.class);
        assertThat(all.extend(lease().dividedBy(2))).isTrue();
        assertThat(mode.release(all)).isEqualTo(ReleaseOutcome.RELEASED);
        for (int place = 0; place < 3; place++) {
            Lease next = mode.acquire(other.lock(place));
            assertThat(own.lock(place).tokenIn(next))
                    .isEqualTo(next.token())
                    .isGreaterThan(own.lock(place).tokenIn(all));
            mode.release(next);
        }
    }

    /** How a request ends whose lock at one place is held by another. */
    private enum Ending {
        TRIED {
            @Override
            void end(Mode mode, Pair own, int number, int busy, Lease held) throws Exception {
                assertThat(mode.tryAcquire(own.all(number), Duration.ZERO)).isEmpty();
            }
        },
        TIMED_OUT {
            @Override
            void end(Mode mode, Pair own, int number, int busy, Lease held) throws Exception {
                assertThat(mode.tryAcquire(own.all(number), SHORT)).isEmpty();
            }
        },
        INTERRUPTED {
            @Override
            void end(Mode mode, Pair own, int number, int busy, Lease held) throws Exception {
                Work<Lease> waiting = waiting(mode, own, number);
                waiting.interrupt();
                assertThatThrownBy(waiting::get).isInstanceOf(InterruptedException.class);
            }
        },
        CLOSED {
            @Override
            void end(Mode mode, Pair own, int number, int busy, Lease held) throws Exception {
                Work<Lease> waiting = waiting(mode, own, number);
                own.of(busy).close();
                assertThatThrownBy(waiting::get).isInstanceOf(BatonException.class);
            }
        },
        OTHER_CLOSED {
            @Override
            void end(Mode mode, Pair own, int number, int busy, Lease held) throws Exception {
                Work<Lease> waiting = waiting(mode, own, number);
                own.of(busy + 1).close();
                mode.release(held);
                if (number > 1) {
                    assertThatThrownBy(waiting::get).isInstanceOf(BatonClosedException.class);
                } else {
                    mode.release(waiting.get());
                }
            }
        },
        /** A lock that is lost while others are awaited is acquired again. */
        LOST {
            @Override
            void end(Mode mode, Pair own, int number, int busy, Lease held) throws Exception {
                Work<Lease> waiting = waiting(mode, own, number);
                int lost = (busy + 1) % number;
                if (number > 1 && own.lock(lost).isLocked()) {
                    own.of(lost).admin().forceReleaseNow(own.lock(lost).name());
                    until("its client knows", () -> own.events().count(BatonEvent.Type.LOST) > 0);
                }
                mode.release(held);
                Lease all = waiting.get();
                assertThat(all.isHeld()).isTrue();
                assertThat(mode.release(all)).isEqualTo(ReleaseOutcome.RELEASED);
            }
        };

        abstract void end(Mode mode, Pair own, int number, int busy, Lease held) throws Exception;

        private static Work<Lease> waiting(Mode mode, Pair own, int number) {
            Work<Lease> waiting = mode.start(() -> mode.acquire(own.all(number)));
            throughout(SHORT, "waits", () -> !waiting.isDone());
            return waiting;
        }
    }

    /** The places of a lock in a group at which something happens: all of them at night. */
    private static IntStream places(int number) {
        return nightly()
                ? IntStream.range(0, number)
                : IntStream.of(0, number / 2, number - 1).distinct();
    }

    private IntStream sizes() {
        return IntStream.of(1, 2, size(50, 50)).distinct();
    }

    @EachMode
    void allOf_acrossNamespaces_whoseRequestEndsAtAnyPlace_keepsNone(Mode mode) throws Exception {
        Pair other = pair();
        for (int number : sizes().toArray()) {
            for (int busy : places(number).toArray()) {
                for (Ending ending : Ending.values()) {
                    Pair own = pair();
                    Lease held = mode.acquire(other.lock(busy));
                    ending.end(mode, own, number, busy, held);
                    mode.release(held);
                    until(ending + " at " + busy + " of " + number + " leaves none", () -> other.isFree(number));
                    own.close();
                }
            }
        }
    }

    @EachMode
    void allOf_acrossNamespaces_ofWhichOneIsLost_isLost_andReleasesTheOthers(Mode mode) throws Exception {
        Pair other = pair();
        for (int number : sizes().toArray()) {
            for (int lost : places(number).toArray()) {
                for (LossCause cause : List.of(LossCause.REVOKED, LossCause.CLIENT_CLOSED)) {
                    Pair own = pair();
                    Lease all = mode.acquire(own.all(number));
                    List<LossCause> told = new CopyOnWriteArrayList<>();
                    all.onLost(told::add);
                    if (cause == LossCause.CLIENT_CLOSED) {
                        own.of(lost).close();
                    } else {
                        other.of(lost).admin().forceReleaseNow(other.lock(lost).name());
                    }
                    until("lost", () -> !all.isHeld() && all.loss().isPresent());
                    until(cause + " at " + lost + " of " + number + " leaves none", () -> other.isFree(number));
                    until("told", () -> !told.isEmpty());
                    assertThat(told).containsExactly(cause);
                    assertThat(all.loss()).contains(cause);
                    own.close();
                    assertThat(told).hasSize(1);
                }
            }
        }
    }

    @EachMode
    @DisplayName("P18: allOf_acrossNamespaces_inDifferentOrders_neverDeadlocks")
    void allOf_acrossNamespaces_inDifferentOrders_neverDeadlocks(Mode mode) throws Exception {
        int rounds = fixture().capabilities().reach() == Reach.JVM ? size(1_000, 200) : size(100, 60);
        AtomicInteger inside = new AtomicInteger();
        List<Work<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            // Long leases: a stall must not let another one in.
            Pair own = pair(PATIENCE);
            SplittableRandom random = new SplittableRandom(i);
            workers.add(mode.start(() -> {
                List<DistributedLock> locks = new ArrayList<>(own.locks(5));
                for (int round = 0; round < rounds; round++) {
                    for (int at = locks.size() - 1; at > 0; at--) {
                        Collections.swap(locks, at, random.nextInt(at + 1));
                    }
                    // Three of five locks: any two groups have one in common.
                    Lease all = mode.acquire(together(locks.subList(0, 3)));
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    inside.decrementAndGet();
                    mode.release(all);
                }
                return rounds;
            }));
        }
        for (Work<Integer> worker : workers) {
            assertThat(worker.get()).isEqualTo(rounds);
        }
        Pair other = pair();
        until("none is left", () -> other.isFree(5));
    }

    @EachMode
    void allOf_acrossNamespaces_keepsTheOptionsOfEachLock_andRunsTheHooksOfAll(Mode mode) throws Exception {
        Pair own = pair();
        Pair other = pair();
        List<String> hooks = new CopyOnWriteArrayList<>();
        LockOptions kept = hooked(hooks, "first").withAtLeast(PATIENCE);
        LockOptions brief = hooked(hooks, "second").withMaxHold(Duration.ofSeconds(2));
        DistributedLock all =
                DistributedLock.allOf(own.lock(0).with(kept), own.lock(1).with(brief), own.lock(2));
        assertThat(all.<Boolean, RuntimeException>call(Lease::isHeld)).isTrue();
        assertThat(hooks)
                .containsExactly(
                        "first before n0, n0, n1",
                        "second before n0, n0, n1",
                        "first after RELEASED",
                        "second after RELEASED");
        assertThat(mode.tryAcquire(other.lock(0), Duration.ZERO)).as("kept").isEmpty();
        assertThat(other.lock(0).inspect().orElseThrow().holders()).isEmpty();
        mode.release(mode.acquire(other.lock(1)));
        mode.release(mode.acquire(other.lock(2)));
        own.here().admin().forceReleaseNow("n0");
        Lease lease = mode.acquire(all);
        until("maxHold of one ends all", () -> !lease.isHeld());
        until("lost", () -> lease.loss().isPresent());
        assertThat(mode.release(mode.acquire(other.lock(2)))).isEqualTo(ReleaseOutcome.RELEASED);
        hooks.clear();
        DistributedLock changed = all.with(LockOptions.defaults());
        until("free", () -> other.lock(1).inspect().isEmpty());
        own.here().admin().forceReleaseNow("n0");
        changed.run(held -> assertThat(held.isHeld()).isTrue());
        assertThat(hooks).isEmpty();
        assertThat(other.isFree(3)).isTrue();
    }

    private static LockOptions hooked(List<String> told, String which) {
        return LockOptions.defaults()
                .withBeforeAction(lease -> told.add(which + " before " + lease.name()))
                .withAfterRelease((lease, outcome) -> told.add(which + " after " + outcome));
    }

    @EachMode
    void allOf_acrossNamespaces_runsAsynchronousTemplates_andHoldsGroups(Mode mode) throws Exception {
        Pair own = pair();
        Pair other = pair();
        DistributedLock all =
                DistributedLock.allOf(own.there().allOf("n0", "b"), own.here().lock("n0"));
        String seen = all.supplyAsync(lease -> lease.isHeld() + " "
                        + Stream.of(other.lock(0), other.lock(1), other.there().lock("b"))
                                .filter(lock -> lock.tryAcquire().isPresent())
                                .count())
                .join();
        assertThat(seen).isEqualTo("true 0");
        Lease held = mode.acquire(other.lock(1));
        assertThat(all.isLocked()).isTrue();
        assertThat(all.tryCall(Duration.ZERO, Lease::name)).isEmpty();
        mode.release(held);
        until("free", () -> other.isFree(2));
        assertThat(all.tryCall(Duration.ZERO, Lease::name)).contains("b, n0, n0");
        until(
                "none is left",
                () -> other.isFree(2) && other.there().lock("b").inspect().isEmpty());
    }

    @EachMode
    void allOf_acrossNamespaces_takesReadersAndPermits(Mode mode) throws Exception {
        Pair own = pair();
        Pair other = pair();
        if (!fixture().capabilities().shares()) {
            assertThatThrownBy(() -> own.there().semaphore("permits", 3))
                    .isInstanceOf(UnsupportedOperationException.class);
            return;
        }
        List<Lease> both = new ArrayList<>();
        for (Pair each : List.of(own, other)) {
            both.add(mode.acquire(DistributedLock.allOf(
                    each.here().readWriteLock("data").read(),
                    each.there().semaphore("permits", 4).permits(2))));
        }
        assertThat(both).allMatch(Lease::isHeld).allMatch(Lease::isShared);
        assertThat(mode.tryAcquire(other.there().semaphore("permits", 4), Duration.ZERO))
                .isEmpty();
        both.forEach(mode::release);
        DistributedLock write = DistributedLock.allOf(
                own.here().readWriteLock("data").write(), own.there().lock("n0"));
        Lease written = mode.acquire(write);
        assertThat(written.isShared()).isFalse();
        assertThat(mode.release(written)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @SuppressWarnings("NullAway") // as callers without its checks may pass it
    private static DistributedLock none() {
        return null;
    }

    @EachMode
    void allOf_thatCannotWork_isRefused_beforeAnythingIsSent(Mode mode) throws Exception {
        Pair own = pair();
        Baton again = connect();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DistributedLock.allOf(own.lock(0), own.lock(1), again.lock("n0")))
                .withMessageContaining("\"n0\" twice");
        assertThatIllegalArgumentException().isThrownBy(DistributedLock::allOf).withMessageContaining("at least one");
        assertThatThrownBy(() -> DistributedLock.allOf(own.lock(0), none())).isInstanceOf(NullPointerException.class);
        DistributedLock foreign = (DistributedLock) Proxy.newProxyInstance(
                DistributedLock.class.getClassLoader(),
                new Class<?>[] {DistributedLock.class},
                (self, method, arguments) -> method.invoke(own.lock(0), arguments));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DistributedLock.allOf(own.lock(1), foreign))
                .withMessageContaining("that a Baton client has made");
        FaultyStore sent = new FaultyStore();
        DistributedLock withClosed =
                DistributedLock.allOf(elsewhere(options(), sent).lock("n0"), again.lock("n0"));
        again.close();
        assertThatThrownBy(() -> mode.acquire(withClosed)).isInstanceOf(BatonClosedException.class);
        assertThatThrownBy(() -> mode.tryAcquire(withClosed, PATIENCE)).isInstanceOf(BatonClosedException.class);
        assertThat(sent.count(FaultyStore.Call.ACQUIRE)).isZero();
    }

    @EachMode
    void allOf_acrossNamespaces_withALockThatItsThreadHolds_isRefusedAtOnce_andKeepsNone(Mode mode) throws Exception {
        Pair own = pair();
        Pair other = pair();
        Lease held = own.lock(1).acquire();
        assertThatThrownBy(own.all(3)::acquire)
                .isInstanceOf(BatonException.class)
                .hasMessageContaining("this thread holds \"n0\"");
        assertThat(other.lock(0).inspect()).isEmpty();
        held.release();
        assertThat(mode.release(mode.acquire(own.all(3)))).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @EachMode
    void allOf_ofTwoClientsOfOneNamespace_isOrderedByNames(Mode mode) throws Exception {
        Baton one = connect();
        Baton two = connect();
        Lease all = mode.acquire(DistributedLock.allOf(two.lock("b"), one.lock("c"), two.lock("a")));
        assertThat(all.name()).isEqualTo("a, b, c");
        assertThat(all.token("b")).isEqualTo(one.lock("b").tokenIn(all));
        assertThat(mode.release(all)).isEqualTo(ReleaseOutcome.RELEASED);
        until("none is left", () -> one.allOf("a", "b", "c").inspect().isEmpty());
    }
}
