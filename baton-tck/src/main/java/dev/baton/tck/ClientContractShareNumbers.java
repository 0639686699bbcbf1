package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.BatonException;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.DistributedSemaphore;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.ReleaseOutcome;
import dev.baton.TooManyWaitersException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/** Read-write locks and semaphores under many callers, at the ends of their ranges, and under odd names. */
public abstract class ClientContractShareNumbers extends ClientContract {
    private static final int CLIENTS = 4;
    private static final int THREADS = 4;

    /** For subclasses. */
    protected ClientContractShareNumbers() {}

    /** The work of one thread of a crowd. */
    private interface Rounds {
        int run(Baton client, SplittableRandom random) throws Exception;
    }

    /** Connects a client whose leases no pause of the machine ends, which would let another one in. */
    private Baton connectForLong() {
        return connect(options().leaseTime(Duration.ofSeconds(20)).build());
    }

    /** Runs rounds on several threads of several clients, and returns the sum of their results. */
    private int crowd(Mode mode, Rounds rounds) throws Exception {
        List<Work<Integer>> workers = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            Baton one = connectForLong();
            for (int thread = 0; thread < THREADS; thread++) {
                SplittableRandom random = new SplittableRandom(client * THREADS + thread);
                workers.add(mode.start(() -> rounds.run(one, random)));
            }
        }
        int sum = 0;
        for (Work<Integer> worker : workers) {
            sum += worker.get(Duration.ofSeconds(90));
        }
        return sum;
    }

    @EachMode
    @DisplayName("P17: writers_amongReadersOfManyClients_areAlone_andLoseNoCount")
    void writers_amongReadersOfManyClients_areAlone_andLoseNoCount(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        int rounds = size(2_000, 200);
        AtomicInteger inside = new AtomicInteger();
        int[] plain = new int[1];
        int written = crowd(mode, (client, random) -> {
            DistributedReadWriteLock lock = client.readWriteLock("page");
            int writes = 0;
            for (int i = 0; i < rounds; i++) {
                boolean isWriter = random.nextBoolean();
                Lease lease = mode.acquire(isWriter ? lock.write() : lock.read());
                if (isWriter) {
                    assertThat(inside.getAndSet(-1))
                            .as("others beside a writer")
                            .isZero();
                    plain[0]++;
                    inside.set(0);
                    writes++;
                } else {
                    assertThat(inside.incrementAndGet()).as("readers").isPositive();
                    inside.decrementAndGet();
                }
                mode.release(lease);
            }
            return writes;
        });
        assertThat(plain[0]).isEqualTo(written).isPositive();
    }

    @EachMode
    void permits_ofManyClients_areNeverMoreThanThereAre(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        int capacity = 5;
        int rounds = size(2_000, 200);
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        int turns = crowd(mode, (client, random) -> {
            DistributedSemaphore semaphore = client.semaphore("pool", capacity);
            for (int i = 0; i < rounds; i++) {
                int permits = random.nextInt(1, capacity + 1);
                Lease lease = mode.acquire(semaphore.permits(permits));
                int now = taken.addAndGet(permits);
                most.accumulateAndGet(now, Math::max);
                assertThat(now).as("permits that are taken").isLessThanOrEqualTo(capacity);
                taken.addAndGet(-permits);
                mode.release(lease);
            }
            return rounds;
        });
        assertThat(turns).isEqualTo(CLIENTS * THREADS * rounds);
        assertThat(most).hasPositiveValue();
    }

    @EachMode
    void semaphore_ofTheLargestNumber_countsToItsEnd(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        int most = Integer.MAX_VALUE;
        DistributedSemaphore mine = connect().semaphore("vast", most);
        DistributedSemaphore others = connect().semaphore("vast", most);
        for (int first : new int[] {1, most / 2, most - 1, most}) {
            Lease held = mode.acquire(mine.permits(first));
            assertBusy(mode, others.permits(most));
            if (first < most) {
                Lease rest = mode.acquire(others.permits(most - first));
                assertBusy(mode, mine);
                mode.release(rest);
            }
            Work<Lease> waiting = mode.start(() -> mode.acquire(others.permits(most)));
            assertGoesOnWaiting(waiting);
            mode.release(held);
            mode.release(waiting.get());
        }
    }

    /** A semaphore is nothing but what is held of it: there is none to create, and none to remove. */
    @EachMode
    void semaphore_ofWhichNoneIsHeld_isNotAtTheStore_andMayHaveAnotherNumber(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        for (int capacity = 1; capacity <= 3; capacity++) {
            DistributedSemaphore semaphore = client.semaphore("some", capacity);
            assertThat(semaphore.inspect()).isEmpty();
            assertThat(semaphore.isLocked()).isFalse();
            List<Lease> leases = new ArrayList<>();
            for (int i = 1; i <= capacity; i++) {
                leases.add(mode.acquire(semaphore));
                LockInfo info = semaphore.inspect().orElseThrow();
                assertThat(info.holders()).hasSize(i);
            }
            assertBusy(mode, semaphore);
            leases.forEach(mode::release);
        }
    }

    @EachMode
    @DisplayName("P41: callersThatWaitForPermits_areBoundedInEachClient_andTheirClientsAreSeen")
    void callersThatWaitForPermits_areBoundedInEachClient_andTheirClientsAreSeen(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton admin = connect();
        Lease held = mode.acquire(admin.semaphore("pool", 2).permits(2));
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        int clients = 3;
        for (int i = 0; i < clients; i++) {
            Baton client = connect(options().maxLocalWaiters(2).build());
            DistributedSemaphore semaphore = client.semaphore("pool", 2);
            waiting.add(semaphore.acquireAsync());
            waiting.add(semaphore.acquireAsync(2));
            assertThatThrownBy(() -> mode.acquire(semaphore))
                    .isInstanceOf(TooManyWaitersException.class)
                    .hasMessageContaining("pool")
                    .hasMessageContaining("maxLocalWaiters");
        }
        if (fixture().capabilities().queue()) {
            until("each client is seen", () -> queued(admin, "pool") == clients);
        }
        mode.release(held);
        // They are granted in turn, and not in the order of this list.
        List<CompletableFuture<ReleaseOutcome>> over = waiting.stream()
                .map(each -> each.thenCompose(Lease::releaseAsync))
                .toList();
        until("all had theirs", () -> over.stream().allMatch(CompletableFuture::isDone));
        assertThat(over).extracting(CompletableFuture::join).containsOnly(ReleaseOutcome.RELEASED);
        assertThat(admin.admin().inspect("pool")).isEmpty();
    }

    @EachMode
    void permit_releasedByAnotherThread_goesToAThreadThatWaits(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        DistributedSemaphore semaphore = connect().semaphore("pool", 1);
        Lease held = mode.acquire(semaphore);
        Work<Lease> waiting = mode.start(() -> mode.acquire(semaphore));
        assertGoesOnWaiting(waiting);
        mode.start(() -> mode.release(held)).get();
        Lease next = waiting.get();
        assertBusy(mode, semaphore);
        mode.release(next);
    }

    @EachMode
    @DisplayName("P32: sharedNames_withBracesAndColons_areThemselves")
    void sharedNames_withBracesAndColons_areThemselves(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        Baton other = connect();
        List<String> names = List.of("{test}:abc:key", "test:abc:key", "{test}", "a/{}:*?", "\u00fc \u732b");
        List<Lease> held = new ArrayList<>();
        for (String name : names) {
            held.add(mode.acquire(client.readWriteLock(name + " rw").write()));
            held.add(mode.acquire(client.semaphore(name, 2).permits(2)));
        }
        for (String name : names) {
            for (DistributedLock busy :
                    List.of(other.readWriteLock(name + " rw").read(), other.semaphore(name, 2))) {
                assertBusy(mode, busy);
            }
        }
        assertThat(held).extracting(Lease::name).doesNotHaveDuplicates();
        held.forEach(mode::release);
        for (String name : names) {
            mode.release(mode.acquire(other.readWriteLock(name + " rw").read()));
            mode.release(mode.acquire(other.semaphore(name, 2).permits(2)));
        }
    }

    @EachMode
    void resizedSemaphore_grantsFewerPermitsInAllClients_untilItIsResizedAgain(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        DistributedSemaphore here = connectForLong().semaphore("pool", 5);
        Baton other = connectForLong();
        DistributedSemaphore there = other.semaphore("pool", 5);
        Lease three = mode.acquire(here.permits(3));
        here.resize(2);
        assertThat(three.isHeld()).isTrue();
        assertBusy(mode, there);
        assertThat(other.admin().inspect("pool").orElseThrow().permits()).isEqualTo(2);
        mode.release(three);
        Lease two = mode.acquire(there.permits(2));
        assertBusy(mode, here);
        there.resize(4);
        Lease more = mode.acquire(here.permits(2));
        assertThat(other.admin().inspect("pool").orElseThrow().holders())
                .extracting(LockInfo.Holder::permits)
                .containsExactly(2, 2);
        mode.release(two);
        mode.release(more);
        assertThat(other.admin().list("", 10)).extracting(LockInfo::permits).containsExactly(4);
        assertThat(other.admin().forceRelease("pool")).isEmpty();
        there.resize(5);
        assertThat(other.admin().inspect("pool")).isEmpty();
    }

    @EachMode
    void callersThatWait_getThePermitsThatResizingGivesBack_atOnce(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton admin = connectForLong();
        DistributedSemaphore semaphore = connectForLong().semaphore("pool", 4);
        semaphore.resize(1);
        Lease held = mode.acquire(semaphore);
        Work<Lease> here = mode.start(() -> mode.acquire(semaphore));
        Work<Lease> there = mode.start(() -> mode.acquire(admin.semaphore("pool", 4)));
        assertGoesOnWaiting(here);
        assertGoesOnWaiting(there);
        admin.semaphore("pool", 4).resize(3);
        for (Lease each : List.of(here.get(), there.get(), held)) {
            assertThat(each.isHeld()).isTrue();
            mode.release(each);
        }
        semaphore.resize(4);
    }

    @EachMode
    void requestForMorePermitsThanResizingLeft_isToldSo_andThoseBehindItGoOn(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connectForLong();
        Baton other = connectForLong();
        DistributedSemaphore semaphore = client.semaphore("pool", 4);
        Lease held = mode.acquire(semaphore.permits(2));
        Work<Lease> greedy =
                mode.start(() -> mode.acquire(other.semaphore("pool", 4).permits(3)));
        assertGoesOnWaiting(greedy);
        Work<Lease> modest = mode.start(() -> mode.acquire(connectForLong().semaphore("pool", 4)));
        assertGoesOnWaiting(modest);
        semaphore.resize(2);
        assertThatThrownBy(greedy::get)
                .isInstanceOf(BatonException.class)
                .hasMessageContaining("resized to 2 of its 4 permits");
        assertThatThrownBy(() -> mode.acquire(semaphore.permits(4)))
                .isInstanceOf(BatonException.class)
                .hasMessageContaining("pool");
        mode.release(held);
        mode.release(modest.get());
        semaphore.resize(4);
    }

    @EachMode
    void resize_ofWhatIsNone_isRefused(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        DistributedSemaphore semaphore = client.semaphore("pool", 4);
        for (int permits : new int[] {0, -1, 5}) {
            assertThatThrownBy(() -> semaphore.resize(permits)).isInstanceOf(IllegalArgumentException.class);
        }
        Lease lock = mode.acquire(client.lock("pool"));
        assertThatThrownBy(() -> semaphore.resize(2))
                .isInstanceOf(BatonException.class)
                .hasMessageContaining("capacity 4");
        mode.release(lock);
        client.close();
        assertThatThrownBy(() -> semaphore.resize(2)).isInstanceOf(BatonClosedException.class);
    }

    @EachMode
    void resizing_endsThePassingOnOfPermits_withinAClientWhoseCallersNeverStop(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        DistributedSemaphore busy = connect().semaphore("pool", 4);
        AtomicBoolean over = new AtomicBoolean();
        List<Work<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            callers.add(mode.start(() -> {
                while (!over.get()) {
                    Lease lease = mode.acquire(busy);
                    pause(Duration.ofMillis(80));
                    mode.release(lease);
                }
                return true;
            }));
        }
        Baton admin = connect();
        until("all permits are held", () -> held(admin) == 4);
        admin.semaphore("pool", 4).resize(1);
        // A hold ends in any case after 254 local hand-offs, which take twenty seconds here.
        within(Duration.ofSeconds(10), "permits come back", () -> held(admin) <= 1);
        throughout(Duration.ofMillis(300), "no more than one is held", () -> held(admin) <= 1);
        admin.semaphore("pool", 4).resize(4);
        until("all permits are held again", () -> held(admin) == 4);
        over.set(true);
        for (Work<Boolean> each : callers) {
            each.get();
        }
    }

    private static int held(Baton admin) {
        return admin.admin().inspect("pool").stream()
                .flatMap(info -> info.holders().stream())
                .mapToInt(LockInfo.Holder::permits)
                .sum();
    }
}
