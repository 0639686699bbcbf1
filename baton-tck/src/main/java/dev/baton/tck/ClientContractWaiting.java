package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.ReleaseOutcome;
import dev.baton.TooManyWaitersException;
import dev.baton.tck.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many waiters, some of which give up or die. */
public abstract class ClientContractWaiting extends ClientContract {
    /** For subclasses. */
    protected ClientContractWaiting() {}

    @EachMode
    void client_countsItsLeasesAndItsWaitingCallers(Mode mode) throws Exception {
        Baton client = connect();
        Lease first = mode.acquire(client.lock("counted"));
        Lease second = mode.acquire(client.lock("also counted"));
        assertThat(client.heldLeases()).isEqualTo(2);
        assertThat(client.waitingCallers()).isZero();
        Work<Lease> waiter = mode.start(() -> mode.acquire(client.lock("counted")));
        until("one waits", () -> client.waitingCallers() == 1);
        mode.release(second);
        assertThat(client.heldLeases()).isEqualTo(1);
        mode.release(first);
        Lease next = waiter.get();
        assertThat(client.waitingCallers()).isZero();
        assertThat(client.heldLeases()).isEqualTo(1);
        mode.release(next);
        assertThat(client.heldLeases()).isZero();
    }

    // ---- time limits and interrupts ------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P15: tryAcquire_ofAHeldLock_keepsItsLimit")
    void tryAcquire_ofAHeldLock_keepsItsLimit(Mode mode) throws Exception {
        Baton client = connectLasting();
        Lease held = mode.acquire(client.lock("held"));
        for (Baton caller : List.of(client, connectLasting())) {
            long start = System.nanoTime();
            assertThat(mode.tryAcquire(caller.lock("held"), Duration.ofMillis(500)))
                    .isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(500), Duration.ofMillis(500).plus(MARGIN));
        }
        until("nobody queues", () -> queued(client, "held") == 0);
        // This also keeps the lease from being abandoned: there is no other reference to it.
        assertThat(held.isHeld()).isTrue();
    }

    @EachMode
    @DisplayName("P20: interrupt_atAnyStep_leavesALeaseOrAnExceptionAndNothingBetween")
    void interrupt_atAnyStep_leavesALeaseOrAnExceptionAndNothingBetween(Mode mode) throws Exception {
        FaultyStore slow = new FaultyStore();
        slow.delay(Duration.ofMillis(1));
        Baton client = connect(options().build(), slow);
        Baton other = connect();
        SplittableRandom random = new SplittableRandom(20);
        AtomicInteger held = new AtomicInteger();
        for (int i = 0; i < size(10_000, 150); i++) {
            Lease rival = i % 3 == 0 ? other.lock("poked").acquire() : null;
            Work<Boolean> caller = mode.start(() -> holdsOrThrows(mode, client.lock("poked"), held));
            long until = System.nanoTime() + random.nextInt(4_000_000);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            caller.interrupt();
            if (rival != null) {
                rival.close();
            }
            assertThat(caller.get()).isTrue();
        }
        assertThat(mode.tryAcquire(other.lock("poked"), PATIENCE)).isPresent();
    }

    /** Returns whether the interrupt was reported exactly once: either by an exception or by the flag. */
    private static boolean holdsOrThrows(Mode mode, DistributedLock lock, AtomicInteger held) {
        Lease lease;
        try {
            lease = mode.acquire(lock);
        } catch (InterruptedException told) {
            return !Thread.currentThread().isInterrupted();
        }
        held.incrementAndGet();
        boolean whole = lease.isHeld();
        return mode.release(lease) == ReleaseOutcome.RELEASED && whole && !lease.isHeld();
    }

    @EachMode
    @DisplayName("P20: release_byAnInterruptedThread_releasesAndKeepsTheFlag")
    void release_byAnInterruptedThread_releasesAndKeepsTheFlag(Mode mode) throws Exception {
        // Long leases: what the interrupted call leaves at the store must not end by itself in the time allowed below.
        Baton client = connect(options().leaseTime(PATIENCE).build());
        Lease taken = client.lock("taken").acquire();
        // A future that is complete before its caller looks at it causes no wait that could be interrupted.
        DistributedLock next = client.lock(mode == Mode.ASYNC ? "taken" : "flagged");
        Work<Boolean> holder = mode.start(() -> {
            Lease lease = mode.acquire(client.lock("flagged"));
            Thread.currentThread().interrupt();
            assertThat(mode.release(lease)).isEqualTo(ReleaseOutcome.RELEASED);
            boolean kept = Thread.currentThread().isInterrupted();
            assertThatThrownBy(() -> mode.acquire(next)).isInstanceOf(InterruptedException.class);
            return kept;
        });
        assertThat(holder.get()).isTrue();
        assertThat(taken.isHeld()).isTrue();
        // The client undoes the interrupted call's request in the background.
        assertThat(mode.tryAcquire(connect().lock("flagged"), MARGIN)).isPresent();
    }

    @Test
    @DisplayName("P9: cancelledFuture_whateverItWaitedFor_withdrawsItsRequest")
    void cancelledFuture_whateverItWaitedFor_withdrawsItsRequest() throws Exception {
        FaultyStore slow = new FaultyStore();
        slow.delay(Duration.ofMillis(2));
        Baton client = connect(options().build(), slow);
        Baton other = connect();
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < size(10_000, 100); i++) {
            Lease rival = i % 2 == 0 ? other.lock("fickle").acquire() : null;
            CompletableFuture<Lease> future = client.lock("fickle").acquireAsync();
            pause(Duration.ofMillis(random.nextInt(6)));
            if (!future.cancel(true)) {
                future.join().close();
            } else {
                assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
            }
            if (rival != null) {
                rival.close();
            }
        }
        within(
                lease().plus(MARGIN),
                "nothing left",
                () -> other.admin().inspect("fickle").isEmpty());
    }

    // ---- crowds --------------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P16: deadWaiters_inTheQueue_doNotKeepTheSurvivorWaitingLongerThanTheirPresence")
    void deadWaiters_inTheQueue_doNotKeepTheSurvivorWaiting(Mode mode) throws Exception {
        if (endsWithoutQueue(mode)) {
            return;
        }
        Baton holder = connect();
        Lease held = mode.acquire(holder.lock("graveyard"));
        int dead = size(999, 40);
        List<FaultyStore> cuts = new ArrayList<>();
        for (int i = 0; i < dead; i++) {
            FaultyStore cut = new FaultyStore();
            cuts.add(cut);
            Baton client = connect(options().build(), cut);
            int before = i;
            CompletableFuture<Lease> unused = client.lock("graveyard").acquireAsync();
            until("queued", () -> queued(holder, "graveyard") > before);
        }
        cuts.forEach(cut -> cut.script(FaultyStore.always(Fault.DROP_REQUEST)));
        Work<Lease> survivor = mode.start(() -> mode.acquire(connect().lock("graveyard")));
        until("the survivor queues", () -> queuesFor(holder, "graveyard"));
        long start = System.nanoTime();
        mode.release(held);
        Lease lease = survivor.get();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(PRESENCE.plus(BEAT).plus(MARGIN));
        assertThat(lease.isHeld()).isTrue();
    }

    private static boolean queuesFor(Baton admin, String name) {
        return queued(admin, name) > 0;
    }

    @EachMode
    @DisplayName("P28: handOver_toOneOfAThousandThreads_costsAtMostThreeCalls")
    void handOver_toOneOfAThousandThreads_costsAtMostThreeCalls(Mode mode) throws Exception {
        FaultyStore counted = new FaultyStore();
        FaultyStore rivals = new FaultyStore();
        Baton client = connect(options().leaseTime(Duration.ofSeconds(30)).build(), counted);
        Baton other = connect(options().leaseTime(Duration.ofSeconds(30)).build(), rivals);
        int threads = size(2_000, 1_000);
        Lease first = mode.acquire(client.lock("hot"));
        List<Work<ReleaseOutcome>> herd = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Baton one = i % 2 == 0 ? client : other;
            herd.add(mode.start(() -> mode.release(mode.acquire(one.lock("hot")))));
        }
        long before = counted.count() + rivals.count();
        mode.release(first);
        for (Work<ReleaseOutcome> each : herd) {
            assertThat(each.get()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(counted.count() + rivals.count() - before).isLessThanOrEqualTo(3L * threads);
    }

    @Test
    void asynchronousWaiters_inThousands_needNoThreadEach() {
        int waiters = 10_000;
        Baton client = connect(options().maxLocalWaiters(waiters).build());
        Lease held = client.lock("crowd").tryAcquire().orElseThrow();
        int before = Thread.activeCount();
        List<CompletableFuture<Lease>> futures = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            futures.add(client.lock("crowd").acquireAsync());
        }
        assertThat(Thread.activeCount() - before).isLessThan(60);
        assertThat(futures).noneMatch(CompletableFuture::isDone);
        held.close();
        AtomicInteger served = new AtomicInteger();
        List<CompletableFuture<Void>> releases = new ArrayList<>();
        for (CompletableFuture<Lease> future : futures) {
            releases.add(future.thenCompose(lease -> {
                served.incrementAndGet();
                return lease.releaseAsync().thenAccept(outcome -> {});
            }));
        }
        CompletableFuture.allOf(releases.toArray(CompletableFuture[]::new)).join();
        assertThat(served).hasValue(waiters);
        assertThat(Thread.activeCount() - before).isLessThan(60);
    }

    @Test
    @Tag("serial")
    @DisplayName("P16: lease_thatRunsOut_isFollowedByTheNextWaiterAtOnce")
    void lease_thatRunsOut_isFollowedByTheNextWaiterAtOnce() throws Exception {
        if (endsWithoutQueue(Mode.SYNC)) {
            return;
        }
        Duration usual = Duration.ofMillis(300);
        Duration lease = lease(usual);
        LockOptions runsOut = LockOptions.defaults().withLeaseTime(lease);
        Baton holder = connect();
        Baton waiting = connect();
        holder.lock("warm-up", runsOut).acquire();
        waiting.lock("warm-up").acquire().close();
        // If leases are longer, there is time for fewer of them.
        int rounds = Math.max(3, (int) (size(200, 60) * usual.toMillis() / lease.toMillis()));
        List<Long> lateness = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            String name = "runs out " + i;
            try (JvmHiccups hiccups = new JvmHiccups()) {
                Lease unused = holder.lock(name, runsOut).acquire();
                long end = System.nanoTime() + lease.toNanos();
                Lease next = waiting.lock(name).acquire();
                lateness.add(System.nanoTime() - end - hiccups.worst().toNanos() * 3);
                next.close();
            }
        }
        lateness.sort(null);
        // A client that only asks now and then does so once a second, and is late in nearly all rounds. At night: the
        // 99th percentile of 200 rounds. By day other work of the machine may come into several of them: the median.
        Duration bound = Duration.ofMillis(nightly() ? 20 : 150).plus(fixture().expiryGrain());
        if (!fixture().capabilities().push()) {
            // Without pushes a client asks every 50 ms.
            bound = bound.plusMillis(60);
        }
        int judged = nightly() ? rounds - 1 - Math.max(1, rounds / 100) : rounds / 2;
        assertThat(Duration.ofNanos(lateness.get(judged)))
                .as("of %d, sorted: %s", rounds, lateness)
                .isLessThan(bound);
    }

    @EachMode
    @DisplayName("P22: timedTry_ofAMillisecond_onAHealthyStore_isALeaseOrEmpty")
    void timedTry_ofAMillisecond_onAHealthyStore_isALeaseOrEmpty(Mode mode) throws Exception {
        Baton client = connect();
        Lease held = connect().lock("held").acquire();
        for (int i = 0; i < size(2_000, 500); i++) {
            Duration wait = Duration.ofNanos(1_000L << (i % 12));
            assertThat(mode.tryAcquire(client.lock("held"), wait)).isEmpty();
            mode.tryAcquire(client.lock("free " + i), wait).ifPresent(Lease::close);
        }
        assertThat(held.isHeld()).isTrue();
    }

    @EachMode
    @DisplayName("P41: localQueue_thatIsFull_refusesTheNextCaller")
    void localQueue_thatIsFull_refusesTheNextCaller(Mode mode) throws Exception {
        Baton client = connect(options().maxLocalWaiters(2).build());
        Lease held = mode.acquire(client.lock("full"));
        CompletableFuture<Lease> first = client.lock("full").acquireAsync();
        CompletableFuture<Optional<Lease>> second = client.lock("full").tryAcquireAsync(PATIENCE);
        assertThatThrownBy(() -> mode.acquire(client.lock("full")))
                .isInstanceOf(TooManyWaitersException.class)
                .hasMessageContaining("full")
                .hasMessageContaining("maxLocalWaiters");
        mode.release(held);
        mode.release(first.join());
        mode.release(second.join().orElseThrow());
    }
}
