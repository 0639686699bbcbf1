package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonException;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.spi.Capabilities.Reach;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/** Several names that are held together. */
public abstract class ClientContractGroups extends ClientContract {
    private static final String[] NAMES = {"b", "c", "a"};

    /** For subclasses. */
    protected ClientContractGroups() {}

    private static boolean isFree(Baton admin, String... names) {
        for (String name : names) {
            if (admin.admin().inspect(name).isPresent()) {
                return false;
            }
        }
        return true;
    }

    @EachMode
    void allOf_holdsEachName_withATokenOfItsOwn_andReleasesAll(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        Lease all = mode.acquire(client.allOf(NAMES));
        assertThat(all.isHeld()).isTrue();
        assertThat(all.name()).isEqualTo("a, b, c");
        assertThat(all.remaining()).isPositive();
        assertThat(all.loss()).isEmpty();
        for (String name : NAMES) {
            assertThat(mode.tryAcquire(other.lock(name), Duration.ZERO)).isEmpty();
            assertThat(all.token(name)).isPositive();
        }
        assertThatThrownBy(all::token)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("a, b, c");
        assertThatIllegalArgumentException().isThrownBy(() -> all.token("d")).withMessageContaining("a, b, c");
        assertThat(all.extend(lease())).isTrue();
        assertThat(mode.release(all)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(all.isHeld()).isFalse();
        for (String name : NAMES) {
            Lease next = mode.acquire(other.lock(name));
            assertThat(next.token()).isGreaterThan(all.token(name));
            mode.release(next);
        }
    }

    @EachMode
    @DisplayName("P45: allOf_whileOneNameIsBusy_waits_andKeepsNoneAfterwards")
    void allOf_whileOneNameIsBusy_waits_andKeepsNoneAfterwards(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        for (String busy : NAMES) {
            Lease held = mode.acquire(other.lock(busy));
            DistributedLock all = client.allOf(NAMES);
            assertThat(mode.tryAcquire(all, Duration.ZERO)).isEmpty();
            assertThat(mode.tryAcquire(all, Duration.ofMillis(50))).isEmpty();
            Work<Lease> interrupted = mode.start(() -> mode.acquire(client.allOf(NAMES)));
            throughout(WHILE, "waits", () -> !interrupted.isDone());
            interrupted.interrupt();
            assertThatThrownBy(interrupted::get).isInstanceOf(InterruptedException.class);
            mode.release(held);
            until("none is left of " + busy, () -> isFree(other, NAMES));
        }
        Lease held = mode.acquire(other.lock("b"));
        Work<Lease> waiting = mode.start(() -> mode.acquire(client.allOf(NAMES)));
        throughout(WHILE, "waits", () -> !waiting.isDone());
        mode.release(held);
        assertThat(mode.release(waiting.get())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @EachMode
    void allOf_whoseClientIsClosedWhileItWaits_keepsNone(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        Lease held = mode.acquire(other.lock("c"));
        Work<Lease> waiting = mode.start(() -> mode.acquire(client.allOf(NAMES)));
        throughout(WHILE, "waits", () -> !waiting.isDone());
        client.close();
        assertThatThrownBy(waiting::get).isInstanceOf(BatonException.class);
        mode.release(held);
        until("none is left", () -> isFree(other, NAMES));
    }

    @EachMode
    void allOf_ofWhichOneIsLost_isLost_andReleasesTheOthers(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        Lease all = mode.acquire(client.allOf(NAMES));
        List<LossCause> told = new CopyOnWriteArrayList<>();
        all.onLost(told::add);
        other.admin().forceReleaseNow("b");
        until("lost", () -> !all.isHeld());
        until("told", () -> !told.isEmpty());
        until("the others are released", () -> isFree(other, NAMES));
        assertThat(told).containsExactly(LossCause.REVOKED);
        assertThat(all.loss()).contains(LossCause.REVOKED);
        assertThatThrownBy(all::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("\"b\"")
                .hasMessageContaining("was lost: REVOKED");
        assertThat(mode.release(all)).isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    @EachMode
    void allOf_withANameThatItsThreadHolds_isRefusedAtOnce_andKeepsNone(Mode mode) throws Exception {
        Baton client = connect();
        Lease held = client.lock("b").acquire();
        DistributedLock all = client.allOf(NAMES);
        assertThatThrownBy(all::acquire)
                .isInstanceOf(BatonException.class)
                .hasMessageContaining("this thread holds \"b\"")
                .hasMessageContaining("a, b, c");
        assertThatThrownBy(() -> all.tryAcquire(PATIENCE)).isInstanceOf(BatonException.class);
        assertThatThrownBy(all::tryAcquire).isInstanceOf(BatonException.class);
        assertThat(isFree(connect(), "a", "c")).isTrue();
        held.release();
        assertThat(mode.release(mode.acquire(all))).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @EachMode
    @DisplayName("P18: allOf_inDifferentOrders_neverDeadlocks")
    void allOf_inDifferentOrders_neverDeadlocks(Mode mode) throws Exception {
        int rounds = fixture().capabilities().reach() == Reach.JVM ? size(1_000, 60) : size(100, 60);
        AtomicInteger inside = new AtomicInteger();
        List<Work<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            // Long leases: a stall must not let another one in.
            Baton client = connect(options().leaseTime(PATIENCE).build());
            SplittableRandom random = new SplittableRandom(i);
            workers.add(mode.start(() -> {
                List<String> names = new ArrayList<>(List.of("1", "2", "3", "4", "5"));
                for (int round = 0; round < rounds; round++) {
                    for (int at = names.size() - 1; at > 0; at--) {
                        Collections.swap(names, at, random.nextInt(at + 1));
                    }
                    List<String> some = names.subList(0, 3);
                    // Three of five names: any two groups have one in common.
                    Lease all = mode.acquire(client.allOf(some.toArray(String[]::new)));
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
        Baton admin = connect();
        until("none is left", () -> isFree(admin, "1", "2", "3", "4", "5"));
    }

    @EachMode
    void allOf_runsItsTemplatesUnderAllNames(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        DistributedLock all = client.allOf(NAMES);
        String sync = all.call(
                lease -> lease.isHeld() + " " + other.lock("a").tryAcquire().isPresent());
        assertThat(sync).isEqualTo("true false");
        String async = all.supplyAsync(lease ->
                        lease.isHeld() + " " + other.lock("c").tryAcquire().isPresent())
                .join();
        assertThat(async).isEqualTo("true false");
        assertThat(all.tryRun(PATIENCE, lease -> assertThat(lease.isHeld()).isTrue()))
                .isTrue();
        Lease held = mode.acquire(other.lock("b"));
        assertThat(all.tryCall(Duration.ZERO, Lease::name)).isEmpty();
        assertThat(all.isLocked()).isTrue();
        mode.release(held);
        until("what the attempt gave back is free", () -> isFree(other, NAMES));
        assertThat(all.tryCall(Duration.ZERO, Lease::name)).contains("a, b, c");
        until("none is left", () -> isFree(other, NAMES));
        assertThatThrownBy(() -> all.call(lease -> {
                    throw new IllegalStateException("of the action");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(isFree(other, NAMES)).isTrue();
    }

    @EachMode
    void allOf_whoseFutureIsCancelledBeforeItsAction_runsNothing_andKeepsNone(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        Queue<Runnable> held = new ConcurrentLinkedQueue<>();
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Integer> cancelled =
                client.allOf(NAMES).supplyAsync(lease -> runs.incrementAndGet(), held::add);
        until("granted, and the executor has the action", () -> !held.isEmpty());
        cancelled.cancel(true);
        held.remove().run();
        until("none is left", () -> isFree(other, NAMES));
        assertThat(runs).hasValue(0);
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> called = client.allOf(NAMES).callAsync(lease -> stage);
        until("held", () -> !isFree(other, "a", "b", "c"));
        assertThat(called).isNotDone();
        stage.complete("done");
        assertThat(called.join()).isEqualTo("done");
        until("none is left", () -> isFree(other, NAMES));
    }

    @EachMode
    void allOf_whoseExecutorRefusesOrDropsItsAction_runsNothing_andKeepsNone(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        DistributedLock all = client.allOf(NAMES);
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Integer> full = all.supplyAsync(lease -> runs.incrementAndGet(), task -> {
            throw new RejectedExecutionException("full");
        });
        assertThatThrownBy(full::join)
                .hasMessageContaining("given back: its executor refused it")
                .hasMessageContaining("full");
        CompletableFuture<Integer> broken = all.supplyAsync(lease -> runs.incrementAndGet(), task -> {
            throw new AssertionError("broken");
        });
        assertThatThrownBy(broken::join)
                .hasMessageContaining("given back: its executor refused it")
                .hasMessageContaining("broken");
        until("none is left", () -> isFree(other, NAMES));
        CompletableFuture<Integer> dropped = all.supplyAsync(lease -> runs.incrementAndGet(), task -> {});
        assertThatThrownBy(dropped::join).hasMessageContaining("no thread took it within its lease time");
        until("none is left", () -> isFree(other, NAMES));
        assertThat(runs).hasValue(0);
        assertThat(mode.release(mode.acquire(all))).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @EachMode
    void allOf_runsAnActionWithoutAnExecutor_onAThreadOfTheClient(Mode mode) throws Exception {
        DistributedLock all = connect().allOf(NAMES);
        for (int i = 0; i < 20; i++) {
            Work<Boolean> own = mode.start(() -> {
                Thread caller = Thread.currentThread();
                return all.supplyAsync(lease -> Thread.currentThread() != caller)
                        .join();
            });
            assertThat(own.get()).isTrue();
        }
    }

    @EachMode
    void allOf_whoseLeaseIsLostBeforeItsActionRuns_isAcquiredAgain(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        CompletableFuture<Boolean> ran = client.allOf(NAMES).supplyAsync(Lease::isHeld, tasks::add);
        until("granted, and the executor has the action", () -> !tasks.isEmpty());
        other.admin().forceReleaseNow("b");
        until("the others are released", () -> isFree(other, NAMES));
        tasks.remove().run();
        until("granted again", () -> !tasks.isEmpty());
        assertThat(ran).isNotDone();
        tasks.remove().run();
        assertThat(ran.join()).isTrue();
        until("none is left", () -> isFree(other, NAMES));
    }

    @EachMode
    void allOf_thatInterruptsOnLoss_doesSoOnlyWhileItIsHeld(Mode mode) throws Exception {
        Baton other = connect();
        DistributedLock all = connect().allOf(NAMES).with(LockOptions.defaults().withInterruptOnLoss(true));
        Lease last = mode.acquire(other.lock("c"));
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        Work<Boolean> holder = mode.start(() -> {
            // A future belongs to no thread, so only a caller that waits itself is interrupted.
            Lease lease = all.acquire();
            held.countDown();
            try {
                return never.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                return lease.isHeld();
            }
        });
        until("waits for the last name", () -> !isFree(other, "b"));
        other.admin().forceReleaseNow("a");
        pause(lease());
        throughout(WHILE, "waits", () -> !holder.isDone());
        mode.release(last);
        assertThat(held.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        other.admin().forceReleaseNow("b");
        assertThat(holder.get()).isFalse();
    }

    @EachMode
    void allOf_ofNoName_orOneTwice_isRefused(Mode mode) throws Exception {
        Baton client = connect();
        assertThatIllegalArgumentException().isThrownBy(client::allOf).withMessageContaining("at least one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.allOf("a", "b", "a"))
                .withMessageContaining("\"a\" twice");
        assertThatIllegalArgumentException().isThrownBy(() -> client.allOf("a", ""));
        Lease one = mode.acquire(client.allOf("a"));
        assertThat(one.token("a")).isPositive();
        mode.release(one);
    }
}
