package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;

/** Users' code that blocks, throws or refuses: listeners, continuations, actions, executors, loggers. */
@Tag("serial")
public abstract class ClientContractUserCode extends ClientContract {
    /** More than any thread pool that callbacks might share. */
    private static final int MANY = 64;

    /** How soon a holder must be told of its loss. Behind users' code that blocks, it would not be told at all. */
    private static final Duration TOLD = Duration.ofSeconds(1);

    /** From the watchdog to the callback's thread to the thread of the test. */
    private static final int HOPS = 3;

    private final AtomicInteger names = new AtomicInteger();

    /** For subclasses. */
    protected ClientContractUserCode() {}

    /** User code that blocks until it is closed. */
    static final class Jam implements AutoCloseable {
        private final CountDownLatch open = new CountDownLatch(1);
        private final AtomicInteger stuck = new AtomicInteger();

        void block() {
            stuck.incrementAndGet();
            boolean interrupted = false;
            while (true) {
                try {
                    open.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        int stuck() {
            return stuck.get();
        }

        void clear() {
            open.countDown();
        }

        @Override
        public void close() {
            clear();
        }
    }

    private LockOptions brief() {
        return LockOptions.defaults().withLeaseTime(lease(Duration.ofMillis(200)));
    }

    /** Returns a time after which a lease without renewal is lost. */
    private Duration wholeLease() {
        return lease().plus(lease().dividedBy(4));
    }

    private String freshName() {
        return "fresh " + names.incrementAndGet();
    }

    static <T> T within(Duration limit, CompletableFuture<T> future) throws Exception {
        return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Asserts that losses are told at once, futures complete, and renewed leases stay held. */
    private void assertUnmoved(Baton client, Lease renewed) throws Exception {
        assertTold(client);
        for (int i = 0; i < 3; i++) {
            Lease lease = within(PATIENCE, client.lock(freshName()).acquireAsync());
            assertThat(within(PATIENCE, lease.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
        }
        untilRenewed(renewed);
    }

    private void assertTold(Baton client) throws Exception {
        try (JvmHiccups hiccups = new JvmHiccups()) {
            CompletableFuture<Long> told = new CompletableFuture<>();
            Lease lease = client.lock(freshName(), brief()).acquire();
            lease.onLost(cause -> told.complete(System.nanoTime()));
            until("over", () -> !lease.isHeld());
            long over = System.nanoTime();
            long toldNanos = within(PATIENCE, told) - over;
            assertThat(Duration.ofNanos(toldNanos)).isLessThanOrEqualTo(hiccups.fair(TOLD, HOPS));
        }
    }

    // ---- listeners and callbacks ---------------------------------------------------------------------------------

    @EachMode
    void listener_thatBlocks_keepsNoLossNoFutureAndNoRenewalWaiting(Mode mode) throws Exception {
        try (Jam jam = new Jam()) {
            Baton client = connect(options().listener(event -> jam.block()).build());
            Lease renewed = mode.acquire(client.lock("renewed"));
            for (int i = 0; i < MANY; i++) {
                mode.release(mode.acquire(client.lock("busy")));
            }
            until("blocked", () -> jam.stuck() > 0);
            assertUnmoved(client, renewed);
        }
    }

    @EachMode
    void lossActions_thatBlock_keepNoOtherWaiting(Mode mode) throws Exception {
        try (Jam jam = new Jam()) {
            Baton client = connect();
            Lease renewed = mode.acquire(client.lock("renewed"));
            List<Lease> lost = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                lost.add(client.lock("lost " + i, brief()).acquire().onLost(cause -> jam.block()));
            }
            until("all blocked", () -> jam.stuck() == MANY);
            assertUnmoved(client, renewed);
            assertThat(lost).noneMatch(Lease::isHeld);
        }
    }

    @EachMode
    void continuations_thatBlockInAcquire_allGetDone(Mode mode) throws Exception {
        int count = nightly() ? 1_000 : MANY;
        DistributedLock lock = connect().lock("again");
        List<CompletableFuture<Void>> all = new ArrayList<>();
        Lease first = mode.acquire(lock);
        for (int i = 0; i < count; i++) {
            all.add(lock.acquireAsync().thenAccept(lease -> {
                lease.close();
                ClientContractUserCode.acquired(lock).close();
            }));
        }
        mode.release(first);
        for (CompletableFuture<Void> each : all) {
            within(PATIENCE.multipliedBy(nightly() ? 5 : 1), each);
        }
    }

    private static Lease acquired(DistributedLock lock) {
        try {
            return lock.acquire();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @EachMode
    void actions_thatRunLong_keepNoLossNoFutureAndNoRenewalWaiting(Mode mode) throws Exception {
        try (Jam jam = new Jam()) {
            Baton client = connect();
            Lease renewed = mode.acquire(client.lock("renewed"));
            List<CompletableFuture<String>> results = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                results.add(client.lock("long " + i).supplyAsync(lease -> {
                    jam.block();
                    return lease.isHeld() ? "held" : "lost";
                }));
            }
            until("all run", () -> jam.stuck() == MANY);
            assertUnmoved(client, renewed);
            jam.clear();
            for (CompletableFuture<String> result : results) {
                assertThat(within(PATIENCE, result)).isEqualTo("held");
            }
        }
    }

    @EachMode
    void action_ofCallAsync_neverRunsOnTheCallersThread(Mode mode) throws Exception {
        Baton client = connect();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < size(20_000, 1_000); i++) {
            CompletableFuture<Boolean> result =
                    client.lock("own thread " + i % 50).supplyAsync(lease -> threads.add(Thread.currentThread()));
            if (i % 20 == 0) {
                within(PATIENCE, result);
            }
        }
        assertThat(threads)
                .doesNotContain(Thread.currentThread())
                .noneMatch(thread -> thread.getName().matches(".*(watchdog|heartbeat|-io).*"));
    }

    @EachMode
    void stageOfAnAction_keepsTheLeaseUntilItEnds(Mode mode) throws Exception {
        Baton client = connect();
        DistributedLock other = connect().lock("staged");
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Lease> begun = new CompletableFuture<>();
        CompletableFuture<String> result = client.lock("staged").callAsync(lease -> {
            begun.complete(lease);
            return work;
        });
        Lease lease = within(PATIENCE, begun);
        throughout(
                wholeLease(),
                "held until the stage ends",
                () -> lease.isHeld() && !result.isDone() && other.tryAcquire().isEmpty());
        work.complete("done");
        assertThat(within(PATIENCE, result)).isEqualTo("done");
        assertThat(lease.isHeld()).isFalse();
        assertThat(mode.tryAcquire(other, Duration.ZERO)).isPresent();
    }

    @EachMode
    @SuppressWarnings("FutureReturnValueIgnored") // the lock handles the action's future
    void stageOfAPlainAction_keepsTheLeaseUntilItEnds(Mode mode) throws Exception {
        DistributedLock lock = connect().lock("staged");
        CompletableFuture<Boolean> work = new CompletableFuture<>();
        CompletableFuture<Lease> begun = new CompletableFuture<>();
        CompletableFuture<CompletableFuture<Boolean>> result = lock.supplyAsync(lease -> {
            begun.complete(lease);
            return work.thenApply(ignored -> lease.isHeld());
        });
        Lease lease = within(PATIENCE, begun);
        throughout(Duration.ofMillis(100), "held", () -> lease.isHeld() && !result.isDone());
        work.complete(true);
        assertThat(within(PATIENCE, within(PATIENCE, result))).isTrue();
        assertThat(mode.tryAcquire(lock, Duration.ZERO)).isPresent();
    }

    @EachMode
    void stageThatFails_failsTheCall_andItsLeaseIsReleased(Mode mode) throws Exception {
        DistributedLock lock = connect().lock("failing stage");
        CompletableFuture<String> failed =
                lock.callAsync(lease -> CompletableFuture.failedFuture(new IllegalStateException("of the stage")));
        assertThatThrownBy(() -> within(PATIENCE, failed)).hasRootCauseMessage("of the stage");
        assertThat(mode.tryAcquire(lock, Duration.ZERO)).isPresent();
    }

    @EachMode
    void stageWhoseLeaseIsLost_isTold(Mode mode) throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Lease> begun = new CompletableFuture<>();
        CompletableFuture<String> result = connect().lock("lost stage", brief()).callAsync(lease -> {
            begun.complete(lease);
            return work;
        });
        Lease lease = within(PATIENCE, begun);
        until("over", () -> !lease.isHeld());
        mode.start(() -> work.complete("in vain")).get();
        assertThatThrownBy(() -> within(PATIENCE, result)).hasCauseInstanceOf(LeaseLostException.class);
    }

    // ---- events that a listener does not take --------------------------------------------------------------------

    @EachMode
    void events_beyondWhatAListenerTakes_areDroppedAndCounted(Mode mode) throws Exception {
        int tries = 15_000;
        AtomicInteger told = new AtomicInteger();
        AtomicInteger dropped = new AtomicInteger();
        try (Jam jam = new Jam();
                LogWatch log = new LogWatch()) {
            BatonListener listener = event -> {
                if (event.type() == BatonEvent.Type.EVENTS_DROPPED) {
                    dropped.addAndGet(Integer.parseInt(event.detail().split(" ", -1)[0]));
                } else if (event.type() == BatonEvent.Type.GAVE_UP) {
                    jam.block();
                    told.incrementAndGet();
                }
            };
            // This lease is renewed too seldom to affect the count.
            Duration lease = Duration.ofSeconds(30);
            Baton client = connect(
                    options().leaseTime(lease).grace(lease).listener(listener).build());
            Lease held = client.lock("held").acquire();
            for (int i = 0; i < tries; i++) {
                assertThat(client.lock("held").tryAcquire()).isEmpty();
            }
            until("said", () -> log.warnings().stream().anyMatch(line -> line.contains("does not keep up")));
            assertThat(dropped).hasValue(0);
            jam.clear();
            until("all told or counted", () -> told.get() + dropped.get() >= tries);
            // A few of the 10,000 places may hold events of another kind.
            assertThat(told.get()).isGreaterThanOrEqualTo(9_990);
            assertThat(dropped.get()).isPositive();
            // One or two renewals may have been dropped as well.
            assertThat(told.get() + dropped.get()).isLessThan(tries + 100);
            assertThat(mode.release(held)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    // ---- executors -----------------------------------------------------------------------------------------------

    @EachMode
    void executorWhoseExecuteBlocks_keepsNoLossNoFutureAndNoRenewalWaiting(Mode mode) throws Exception {
        try (Jam jam = new Jam()) {
            assertUnmovedBy(mode, task -> jam.block());
            assertThat(jam.stuck()).isPositive();
        }
    }

    @EachMode
    void executorWhoseExecuteThrows_keepsNoLossNoFutureAndNoRenewalWaiting(Mode mode) throws Exception {
        assertUnmovedBy(mode, task -> {
            throw new AssertionError("an executor of a test that only throws");
        });
    }

    @EachMode
    void executorThatRunsInItsCaller_keepsNoLossNoFutureAndNoRenewalWaiting(Mode mode) throws Exception {
        try (Jam jam = new Jam()) {
            Baton client = connect(options().callbackExecutor(Runnable::run).build());
            Lease renewed = client.lock("renewed").acquire();
            Lease first = client.lock("stuck").acquire();
            for (int i = 0; i < MANY; i++) {
                CompletableFuture<Void> unused = client.lock("stuck")
                        .acquireAsync()
                        .thenAccept(lease -> {
                            lease.close();
                            jam.block();
                        });
            }
            first.close();
            until("all run", () -> jam.stuck() == MANY);
            assertUnmoved(client, renewed);
        }
    }

    @EachMode
    void actionWhoseExecutorRefuses_failsAndItsLeaseIsGivenBack(Mode mode) throws Exception {
        DistributedLock lock = connect().lock("refused action");
        CompletableFuture<String> result = lock.supplyAsync(lease -> "never", task -> {
            throw new IllegalStateException("an executor of a test that refuses");
        });
        assertThatThrownBy(() -> within(PATIENCE, result)).hasMessageContaining("refused");
        assertThat(mode.tryAcquire(lock, PATIENCE)).isPresent();
    }

    @EachMode
    void actionOfCallAsync_runsOnTheExecutorThatItWasGiven(Mode mode) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        DistributedLock lock = connect().lock("given");
        CompletableFuture<Boolean> result = lock.supplyAsync(
                lease -> thread.complete(Thread.currentThread()),
                task -> mode.start(() -> {
                    task.run();
                    return true;
                }));
        assertThat(within(PATIENCE, result)).isTrue();
        assertThat(within(PATIENCE, thread).getName()).doesNotContain("baton-");
    }

    private void assertUnmovedBy(Mode mode, Consumer<Runnable> executor) throws Exception {
        Baton client = connect(options().callbackExecutor(executor::accept).build());
        Lease renewed = client.lock("renewed").acquire();
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(client.lock("asked " + i).acquireAsync());
        }
        for (CompletableFuture<Lease> each : all) {
            assertThat(mode.release(within(PATIENCE, each))).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertUnmoved(client, renewed);
    }

    @EachMode
    void leaseThatNoThreadTakes_isGivenBackAfterItsLeaseTime(Mode mode) throws Exception {
        Baton client = connect(options().callbackExecutor(task -> {}).build());
        DistributedLock lock = client.lock("undelivered");
        CompletableFuture<Lease> never = lock.acquireAsync();
        until("granted", () -> lock.inspect().isPresent());
        Lease next = mode.tryAcquire(connect().lock("undelivered"), lease().plus(MARGIN.multipliedBy(2)))
                .orElseThrow();
        assertThatThrownBy(() -> within(PATIENCE, never)).hasMessageContaining("given back");
        assertThat(mode.release(next)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @EachMode
    void lossOfALease_isTold_whileTheExecutorIsFull(Mode mode) throws Exception {
        Baton client = connect(options().callbackExecutor(task -> {}).build());
        CompletableFuture<LossCause> told = new CompletableFuture<>();
        Lease lost = client.lock("lost", brief()).acquire().onLost(told::complete);
        assertThat(within(PATIENCE, told)).isEqualTo(LossCause.EXPIRED);
        // Keeps the lease reachable until now: one that the application can no longer reach tells nothing.
        assertThat(lost.isHeld()).isFalse();
    }

    // ---- loggers -------------------------------------------------------------------------------------------------

    @EachMode
    void loggerThatBlocks_keepsNoCallerNoLossAndNoRenewalWaiting(Mode mode) throws Exception {
        Baton client = connect();
        try (Jam jam = new Jam();
                LogWatch log = new LogWatch(jam::block)) {
            assertUnmovedByTheLog(mode, client);
            until("logs", () -> jam.stuck() > 0);
            assertThat(log.warnings()).isNotEmpty();
        }
    }

    @EachMode
    void loggerThatThrows_keepsNoCallerNoLossAndNoRenewalWaiting(Mode mode) throws Exception {
        AtomicInteger thrown = new AtomicInteger();
        Runnable failing = () -> {
            thrown.incrementAndGet();
            throw new AssertionError("a logger of a test that only throws");
        };
        Baton client = connect();
        try (LogWatch log = new LogWatch(failing)) {
            assertUnmovedByTheLog(mode, client);
            until("logs", () -> thrown.get() > 0);
            assertThat(log.warnings()).isNotEmpty();
        }
    }

    private void assertUnmovedByTheLog(Mode mode, Baton client) throws Exception {
        Lease renewed = client.lock("renewed").acquire();
        Work<Boolean> waitsForItself = mode.start(() -> {
            Lease mine = client.lock("mine").acquire();
            boolean refused =
                    client.lock("mine").tryAcquire(Duration.ofMillis(1_200)).isEmpty();
            mine.close();
            return refused;
        });
        assertThat(waitsForItself.get(PATIENCE)).isTrue();
        assertUnmoved(client, renewed);
    }
}
