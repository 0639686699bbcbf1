package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.ReleaseOutcome;
import dev.baton.internal.client.SystemClock;
import dev.baton.internal.engine.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;

/** One holder at a time, in order, for all kinds of callers and all settings of their clocks. */
public abstract class ClientContractExclusion extends ClientContract {
    /** For subclasses. */
    protected ClientContractExclusion() {}

    /** A counter that is only right if its increments exclude each other. */
    private static final class Plain {
        private int value;

        void increment() {
            int read = value;
            Thread.onSpinWait();
            value = read + 1;
        }
    }

    @EachMode
    @DisplayName("P1: lock_contendedByThreadsOfSeveralClients_countsAPlainIntExactly")
    void lock_contendedByThreadsOfSeveralClients_countsAPlainIntExactly(Mode mode) throws Exception {
        int rounds = size(5_000, 150);
        Plain counter = new Plain();
        ConcurrentSkipListSet<Long> tokens = new ConcurrentSkipListSet<>();
        List<Work<Integer>> workers = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            // Long leases: nothing but the lock guards the counter, and a stall must not end a lease.
            Baton client = connect(options().leaseTime(PATIENCE).build());
            for (int t = 0; t < 3; t++) {
                workers.add(mode.start(() -> count(mode, client.lock("counter"), rounds, counter, tokens)));
            }
        }
        int sum = 0;
        for (Work<Integer> worker : workers) {
            sum += worker.get(Duration.ofSeconds(100));
        }
        assertThat(counter.value).isEqualTo(sum).isEqualTo(9 * rounds);
        assertThat(tokens).hasSize(sum);
    }

    private static int count(
            Mode mode, DistributedLock lock, int rounds, Plain counter, ConcurrentSkipListSet<Long> tokens)
            throws InterruptedException {
        long last = 0;
        for (int i = 0; i < rounds; i++) {
            Lease lease = mode.acquire(lock);
            counter.increment();
            tokens.add(lease.token());
            assertThat(lease.token()).isGreaterThan(last);
            last = lease.token();
            mode.release(lease);
        }
        return rounds;
    }

    @EachMode
    void waiters_ofSeveralClients_areServedInTheOrderTheyCame(Mode mode) throws Exception {
        if (endsWithoutQueue(mode)) {
            return;
        }
        List<Integer> order = new CopyOnWriteArrayList<>();
        Baton admin = connectLasting();
        Lease first = admin.lock("queue").acquire();
        List<Work<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int place = i;
            DistributedLock lock = connectLasting().lock("queue");
            waiters.add(mode.start(() -> {
                try (Lease lease = mode.acquire(lock)) {
                    return order.add(place) && lease.isHeld();
                }
            }));
            until("queued at the store", () -> queued(admin, "queue") == place + 1);
        }
        mode.release(first);
        for (Work<Boolean> waiter : waiters) {
            waiter.get();
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @EachMode
    void tryAcquire_whileAnotherClientQueues_neverPassesTheQueue(Mode mode) throws Exception {
        if (endsWithoutQueue(mode)) {
            return;
        }
        Baton holder = connectLasting();
        Lease held = holder.lock("line").acquire();
        DistributedLock waiting = connectLasting().lock("line");
        Work<Lease> waiter = mode.start(() -> mode.acquire(waiting));
        until("queued", () -> queued(holder, "line") == 1);
        DistributedLock impatient = connectLasting().lock("line");
        assertThat(mode.tryAcquire(impatient, Duration.ZERO)).isEmpty();
        mode.release(held);
        assertThat(mode.tryAcquire(impatient, Duration.ZERO)).isEmpty();
        mode.release(waiter.get());
        assertThat(mode.tryAcquire(impatient, Duration.ZERO)).isPresent();
    }

    @EachMode
    @DisplayName("P13: lease_acquiredByOneThread_isUsedAndReleasedByAnother")
    void lease_acquiredByOneThread_isUsedAndReleasedByAnother(Mode mode) throws Exception {
        DistributedLock lock = connect().lock("handed over");
        Lease lease = mode.start(() -> mode.acquire(lock)).get();
        assertThat(mode.start(lease::isHeld).get()).isTrue();
        assertThat(mode.start(() -> mode.release(lease)).get()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(mode.tryAcquire(connect().lock("handed over"), Duration.ZERO))
                .isPresent();
    }

    @EachMode
    @DisplayName("P14: lease_askedForAgainByItsThread_waits")
    void lease_askedForAgainByItsThread_waits(Mode mode) throws Exception {
        Events events = new Events();
        Baton client = connect(lastingOptions().listener(events).build());
        DistributedLock lock = client.lock("twice");
        Lease lease = mode.acquire(lock);
        // The second gives a thread that may release the lock time to do so. A future does not wait for a thread.
        assertThat(mode.tryAcquire(lock, Duration.ofMillis(mode == Mode.ASYNC ? 100 : 1_200)))
                .isEmpty();
        assertThat(lease.isHeld()).isTrue();
        if (mode != Mode.ASYNC) {
            until("told", () -> events.count(BatonEvent.Type.SELF_WAIT) == 1);
        }
        mode.release(lease);
        assertThat(mode.tryAcquire(lock, PATIENCE)).isPresent();
    }

    @EachMode
    @DisplayName("P19: callers_ofOneClient_seeTheSameExpiryAsThoseOfAnother")
    void callers_ofOneClient_seeTheSameExpiryAsThoseOfAnother(Mode mode) throws Exception {
        Duration lease = lease(Duration.ofMillis(500));
        LockOptions brief = LockOptions.defaults().withLeaseTime(lease);
        Baton one = connect();
        Baton other = connect();
        Lease mine = mode.acquire(one.lock("same client", brief));
        Lease theirs = mode.acquire(one.lock("other client", brief));
        Work<Duration> inside = mode.start(() -> timeToGet(mode, one.lock("same client")));
        Work<Duration> outside = mode.start(() -> timeToGet(mode, other.lock("other client")));
        Duration limit = lease.plus(fixture().expiryGrain()).plus(BEAT).plus(MARGIN);
        assertThat(inside.get()).isLessThan(limit);
        assertThat(outside.get()).isLessThan(limit);
        assertThat(mine.isHeld()).isFalse();
        assertThat(theirs.isHeld()).isFalse();
    }

    static Duration timeToGet(Mode mode, DistributedLock lock) throws InterruptedException {
        long start = System.nanoTime();
        Lease lease = mode.acquire(lock);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        mode.release(lease);
        return took;
    }

    @EachMode
    @DisplayName("P35: tryAcquire_onceTheDeadHoldersLeaseIsOver_succeedsAtTheFirstTry")
    void tryAcquire_onceTheDeadHoldersLeaseIsOver_succeedsAtTheFirstTry(Mode mode) throws Exception {
        FaultyStore cut = new FaultyStore();
        Baton dead = connect(options().build(), cut);
        DistributedLock lock = connect().lock("orphan");
        Lease lease = mode.acquire(dead.lock("orphan"));
        cut.script(FaultyStore.always(FaultyStore.Fault.DROP_REQUEST));
        assertThat(mode.tryAcquire(lock, Duration.ZERO)).isEmpty();
        pause(lease().plusMillis(100).plus(fixture().expiryGrain()));
        Optional<Lease> taken = mode.tryAcquire(lock, Duration.ZERO);
        assertThat(taken).isPresent();
        assertThat(taken.get().token()).isGreaterThan(lease.token());
    }

    /** A wall clock that is wrong and is set once. */
    private static final class SkewedClock implements Clock {
        private volatile Duration skew;

        SkewedClock(Duration skew) {
            this.skew = skew;
        }

        @Override
        public long nanos() {
            return SystemClock.INSTANCE.nanos() + skew.toNanos();
        }

        @Override
        public long wallMillis() {
            return SystemClock.INSTANCE.wallMillis() + skew.toMillis();
        }
    }

    @EachMode
    @DisplayName("P25: clients_whoseClocksAreAnHourApart_neverOverlapAndExpireInTime")
    void clients_whoseClocksAreAnHourApart_neverOverlapAndExpireInTime(Mode mode) throws Exception {
        Duration lease = lease();
        LockOptions brief = LockOptions.defaults().withLeaseTime(lease);
        TreeSet<Long> tokens = new TreeSet<>();
        for (Duration skew : List.of(Duration.ofHours(-1), Duration.ZERO, Duration.ofHours(1))) {
            Baton client = connect(options().build(), new FaultyStore(), new SkewedClock(skew));
            DistributedLock lock = client.lock("skewed", brief);
            Lease held = mode.acquire(lock);
            assertThat(tokens).allMatch(earlier -> earlier < held.token());
            tokens.add(held.token());
            assertThat(held.isHeld()).isTrue();
            assertThat(held.remaining()).isLessThan(lease);
            within(lease.plus(MARGIN), "believed over", () -> !held.isHeld());
            mode.release(held);
        }
        assertThat(tokens).hasSize(3);
    }

    @EachMode
    @DisplayName("P25: lease_whoseHoldersWallClockIsSetByAnHour_isHeldAgainOnceConfirmed")
    void lease_whoseHoldersWallClockIsSetByAnHour_isHeldAgainOnceConfirmed(Mode mode) throws Exception {
        long[] step = {0};
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return SystemClock.INSTANCE.nanos();
            }

            @Override
            public long wallMillis() {
                return SystemClock.INSTANCE.wallMillis() + step[0];
            }
        };
        Baton client = connect(options().build(), new FaultyStore(), clock);
        Lease lease = mode.acquire(client.lock("stepped"));
        for (Duration set : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
            step[0] += set.toMillis();
            within(MARGIN, "confirmed and held again", lease::isHeld);
        }
        assertThat(mode.release(lease)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @EachMode
    @DisplayName("P26: job_ofManyLeases_isNeverOverlappedByAnotherNode")
    void job_ofManyLeases_isNeverOverlappedByAnotherNode(Mode mode) throws Exception {
        Duration work = nightly()
                ? lasting().multipliedBy(5)
                : lasting().multipliedBy(4).dividedBy(3);
        int nodes = nightly() ? 3 : 2;
        Duration all = work.multipliedBy(nodes);
        Plain running = new Plain();
        List<Work<Boolean>> jobs = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            DistributedLock lock = connect(lastingOptions().build()).lock("nightly");
            jobs.add(mode.start(() -> {
                try (Lease held = mode.acquire(lock)) {
                    int before = running.value;
                    pause(work);
                    running.value = before + 1;
                    return held.isHeld();
                }
            }));
        }
        for (Work<Boolean> job : jobs) {
            assertThat(job.get(all.plus(PATIENCE))).isTrue();
        }
        assertThat(running.value).isEqualTo(nodes);
    }
}
