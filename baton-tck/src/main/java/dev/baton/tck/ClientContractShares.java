package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonException;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.DistributedSemaphore;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LockInfo;
import dev.baton.ReentrantDistributedLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.DisplayName;

/** Read-write locks and semaphores. */
@SuppressWarnings("LockNotBeforeTry") // the test calls lock and unlock one by one
public abstract class ClientContractShares extends ClientContract {
    private static final int PERMITS = 3;

    /** For subclasses. */
    protected ClientContractShares() {}

    // ---- read-write locks ----------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P17: readers_ofTwoClients_holdTogether_andAWriterWaitsForBoth")
    void readers_ofTwoClients_holdTogether_andAWriterWaitsForBoth(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Lease first = mode.acquire(connect().readWriteLock("page").read());
        Lease second = mode.acquire(connect().readWriteLock("page").read());
        assertThat(first.isHeld() && second.isHeld()).isTrue();
        assertThat(first.isShared() && second.isShared()).isTrue();
        assertThat(second.token()).isEqualTo(first.token());
        DistributedReadWriteLock other = connect().readWriteLock("page");
        assertBusy(mode, other.write());
        Work<Lease> waiting = mode.start(() -> mode.acquire(other.write()));
        assertGoesOnWaiting(waiting);
        mode.release(first);
        assertGoesOnWaiting(waiting);
        mode.release(second);
        Lease writer = waiting.get();
        assertThat(writer.token()).isGreaterThan(first.token());
        assertThat(writer.isShared()).isFalse();
        mode.release(writer);
    }

    @EachMode
    void writer_keepsReadersAndWritersOut_andReadersAfterItHaveANewerToken(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        Baton other = connect();
        Lease writer = mode.acquire(client.readWriteLock("page").write());
        assertBusy(mode, other.readWriteLock("page").read());
        assertBusy(mode, other.readWriteLock("page").write());
        Work<Lease> waiting =
                mode.start(() -> mode.acquire(other.readWriteLock("page").read()));
        Work<Lease> beside =
                mode.start(() -> mode.acquire(client.readWriteLock("page").read()));
        assertGoesOnWaiting(waiting);
        assertGoesOnWaiting(beside);
        mode.release(writer);
        for (Lease reader : List.of(waiting.get(), beside.get())) {
            assertThat(reader.token()).isGreaterThan(writer.token());
            mode.release(reader);
        }
    }

    @EachMode
    void reader_thatComesAfterAWriter_waitsBehindIt_inEveryClient(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton reading = connect();
        Baton writing = connect();
        Baton late = connect();
        Lease reader = mode.acquire(reading.readWriteLock("page").read());
        Work<Lease> writer =
                mode.start(() -> mode.acquire(writing.readWriteLock("page").write()));
        until("the writer queues", () -> queued(reading, "page") == 1);
        assertBusy(mode, late.readWriteLock("page").read());
        Work<Lease> behind =
                mode.start(() -> mode.acquire(late.readWriteLock("page").read()));
        until("the reader queues", () -> queued(reading, "page") == 2);
        mode.release(reader);
        Lease written = writer.get();
        assertGoesOnWaiting(behind);
        mode.release(written);
        assertThat(behind.get().token()).isGreaterThan(written.token());
        mode.release(behind.get());
    }

    /** Both sides ask without a pause; the crowd belongs to one client, which may hand a hold from caller to caller. */
    @EachMode
    @DisplayName("P17 P44: oneOfASide_amongManyOfTheOtherThatNeverStop_getsItsTurns")
    void oneOfASide_amongManyOfTheOtherThatNeverStop_getsItsTurns(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        for (boolean crowdReads : new boolean[] {true, false}) {
            DistributedReadWriteLock theirs = connect().readWriteLock("page");
            DistributedReadWriteLock mine = connect().readWriteLock("page");
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger theirTurns = new AtomicInteger();
            List<Work<Integer>> crowd = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                crowd.add(mode.start(() -> turns(mode, crowdReads ? theirs.read() : theirs.write(), over, theirTurns)));
            }
            until("the crowd has begun", () -> theirTurns.get() >= crowd.size());
            int turns = size(1_000, 100);
            for (int i = 0; i < turns; i++) {
                int before = theirTurns.get();
                long asked = System.nanoTime();
                Lease lease = mode.acquire(crowdReads ? mine.write() : mine.read());
                assertThat(Duration.ofNanos(System.nanoTime() - asked))
                        .as("turn " + i + " beside " + (crowdReads ? "readers" : "writers"))
                        .isLessThan(MARGIN.multipliedBy(2));
                mode.release(lease);
                // Turns in a store that answers at once could otherwise all fall into one pause of the crowd's threads.
                until("the crowd goes on", () -> theirTurns.get() > before);
            }
            over.set(true);
            for (Work<Integer> one : crowd) {
                one.get();
            }
        }
    }

    private static int turns(Mode mode, DistributedLock lock, AtomicBoolean over, AtomicInteger all)
            throws InterruptedException {
        int turns = 0;
        while (!over.get()) {
            mode.release(mode.acquire(lock));
            all.incrementAndGet();
            turns++;
        }
        return turns;
    }

    @EachMode
    void downgrade_keepsTheLock_andLetsReadersIn_butNoWriter(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connectLasting();
        Baton other = connectLasting();
        Baton last = connectLasting();
        Lease lease = mode.acquire(client.readWriteLock("page").write());
        Work<Lease> reader =
                mode.start(() -> mode.acquire(other.readWriteLock("page").read()));
        until("the reader queues", () -> queued(client, "page") == 1);
        Work<Lease> writer =
                mode.start(() -> mode.acquire(last.readWriteLock("page").write()));
        until("the writer queues", () -> queued(client, "page") == 2);
        lease.downgrade();
        assertThat(lease.isShared()).isTrue();
        assertThat(lease.isHeld()).isTrue();
        Lease beside = reader.get();
        assertThat(beside.token()).isGreaterThan(lease.token());
        untilRenewed(lease);
        untilRenewed(beside);
        assertThat(lease.isHeld() && beside.isHeld()).as("both are held").isTrue();
        assertGoesOnWaiting(writer);
        assertThatThrownBy(lease::downgrade).isInstanceOf(UnsupportedOperationException.class);
        mode.release(lease);
        assertGoesOnWaiting(writer);
        mode.release(beside);
        assertThat(writer.get().token()).isGreaterThan(lease.token());
        mode.release(writer.get());
        assertThatThrownBy(lease::downgrade).isInstanceOf(LeaseLostException.class);
        Lease lock = mode.acquire(client.lock("lock"));
        assertThatThrownBy(lock::downgrade)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("\"lock\"");
        mode.release(lock);
    }

    /** The store does not know which of its client's writers has become a reader. */
    @EachMode
    void downgrade_ofAWriterThatGotTheLockFromAnother_givesReadersANewerToken(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        Lease first = mode.acquire(client.readWriteLock("page").write());
        Work<Lease> second =
                mode.start(() -> mode.acquire(client.readWriteLock("page").write()));
        assertGoesOnWaiting(second);
        mode.release(first);
        Lease lease = second.get();
        assertThat(lease.token()).isGreaterThan(first.token());
        lease.downgrade();
        Lease beside = mode.acquire(connect().readWriteLock("page").read());
        Lease here = mode.acquire(client.readWriteLock("page").read());
        assertThat(beside.token()).isGreaterThan(lease.token()).isEqualTo(here.token());
        for (Lease each : List.of(lease, beside, here)) {
            mode.release(each);
        }
        Lease next = mode.acquire(client.readWriteLock("page").write());
        assertThat(next.token()).isGreaterThan(beside.token());
        mode.release(next);
    }

    @EachMode
    void downgrade_letsReadersOfItsClientInAtOnce(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        DistributedReadWriteLock lock = connect().readWriteLock("page");
        Lease lease = mode.acquire(lock.write());
        lease.downgrade();
        Work<Lease> other = mode.start(() -> mode.acquire(lock.read()));
        assertThat(other.get().token()).isGreaterThan(lease.token());
        mode.release(lease);
        assertThat(other.get().isHeld()).isTrue();
        assertBusy(mode, connect().readWriteLock("page").write());
        mode.release(other.get());
    }

    @EachMode
    @DisplayName("P42: sideOfAReadWriteLock_inTheThreadThatHoldsTheOther_isRefusedAtOnce")
    void sideOfAReadWriteLock_inTheThreadThatHoldsTheOther_isRefusedAtOnce(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        DistributedReadWriteLock lock = connect().readWriteLock("page");
        Lease reader = lock.read().acquire();
        assertWaitsForItself("holds \"page\" as a reader", () -> lock.write().acquire());
        assertWaitsForItself(
                "release the reader's lease first", () -> lock.write().tryAcquire(PATIENCE));
        Work<Lease> writer = mode.start(() -> lock.write().acquire());
        assertGoesOnWaiting(writer);
        reader.release();
        writer.get().release();
        Lease written = lock.write().acquire();
        assertWaitsForItself("holds \"page\" as a writer", () -> lock.read().acquire());
        assertThat(written.isHeld()).isTrue();
        written.release();
        lock.read().acquire().release();
    }

    private static void assertWaitsForItself(String why, ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(BatonException.class).hasMessageContaining(why);
    }

    @EachMode
    void viewOfThreads_isReentrantOnBothSides_andKeepsAWritersLockUntilItHasUnlockedBoth(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        ReadWriteLock lock = connect().readWriteLock("page").asReadWriteLock();
        DistributedLock reading = connect().readWriteLock("page").read();
        lock.writeLock().lock();
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.writeLock().unlock();
        assertBusy(mode, connect().readWriteLock("page").read());
        lock.writeLock().unlock();
        assertBusy(mode, connect().readWriteLock("page").write());
        mode.release(mode.tryAcquire(connect().readWriteLock("page").read(), PATIENCE)
                .orElseThrow());
        assertWaitsForItself("as a reader", () -> lock.writeLock().lock());
        lock.readLock().lock();
        lock.readLock().unlock();
        lock.readLock().unlock();
        Lease reader = mode.acquire(reading);
        assertThat(lock.readLock().tryLock()).isTrue();
        assertThat(lock.readLock().tryLock()).isTrue();
        assertThat(((ReentrantDistributedLock) lock.readLock()).getHoldCount()).isEqualTo(2);
        assertThat(((ReentrantDistributedLock) lock.writeLock()).getHoldCount()).isZero();
        assertWaitsForItself("as a reader", () -> lock.writeLock().lock());
        assertWaitsForItself("as a reader", () -> lock.writeLock().tryLock());
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        lock.readLock().unlock();
        lock.readLock().unlock();
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        mode.release(reader);
        assertThat(lock.writeLock().tryLock()).isTrue();
        lock.writeLock().unlock();
    }

    @EachMode
    void writerOfTheViewOfThreads_thatLostItsLease_isToldOnce_whenItAsksToRead(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        ReadWriteLock lock = connect().readWriteLock("page").asReadWriteLock();
        ReentrantDistributedLock writing = (ReentrantDistributedLock) lock.writeLock();
        Baton other = connect();
        lock.writeLock().lock();
        other.admin().forceReleaseNow("page");
        until("lost", () -> !writing.isHeldByCurrentThread());
        assertThatThrownBy(() -> lock.readLock().lock())
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("was lost: REVOKED");
        lock.readLock().lock();
        assertBusy(mode, other.readWriteLock("page").write());
        Lease reader =
                mode.tryAcquire(other.readWriteLock("page").read(), PATIENCE).orElseThrow();
        mode.release(reader);
        lock.readLock().unlock();
    }

    @EachMode
    void readHoldThatRanOut_doesNotKeepItsThreadFromReadingAsTheWriter(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        ReadWriteLock lock = connect().readWriteLock("page").asReadWriteLock();
        ReentrantDistributedLock reading = (ReentrantDistributedLock) lock.readLock();
        reading.lock(lease());
        until("ran out", () -> !reading.isHeldByCurrentThread());
        lock.writeLock().lock();
        assertThat(reading.tryLock()).isTrue();
        lock.writeLock().unlock();
        assertBusy(mode, connect().readWriteLock("page").write());
        reading.unlock();
    }

    @EachMode
    void threadThatReads_readsAgain_thoughAWriterOfAnotherClientWaits(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        DistributedLock reading = connectLasting().readWriteLock("page").read();
        Baton other = connectLasting();
        Work<Boolean> nested = mode.start(() -> {
            try (Lease outer = reading.acquire()) {
                Work<Lease> writer = mode.start(
                        () -> mode.acquire(other.readWriteLock("page").write()));
                throughout(lease(), "the writer waits", () -> !writer.isDone());
                Lease inner = reading.tryAcquire(PATIENCE).orElseThrow();
                boolean same = inner.token() == outer.token();
                inner.release();
                outer.release();
                mode.release(writer.get());
                return same;
            }
        });
        assertThat(nested.get()).isTrue();
    }

    // ---- semaphores ----------------------------------------------------------------------------------------------

    @EachMode
    void permits_areHeldBesideEachOther_upToTheCapacity(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        DistributedSemaphore mine = connect().semaphore("printers", PERMITS);
        DistributedSemaphore others = connect().semaphore("printers", PERMITS);
        assertThat(mine.capacity()).isEqualTo(PERMITS);
        Lease two = mode.acquire(mine.permits(2));
        Lease one = mode.acquire(others);
        assertThat(one.token()).isNotEqualTo(two.token());
        assertThat(one.isShared()).isTrue();
        assertBusy(mode, mine);
        assertBusy(mode, others);
        Work<Lease> waiting = mode.start(() -> mode.acquire(others.permits(2)));
        mode.release(one);
        assertGoesOnWaiting(waiting);
        mode.release(two);
        Lease later = waiting.get();
        Lease last = mode.acquire(mine);
        assertBusy(mode, mine);
        mode.release(later);
        mode.release(last);
        List<Lease> all = new ArrayList<>();
        for (int i = 0; i < PERMITS; i++) {
            all.add(mode.acquire(mine));
        }
        assertThat(all.stream().map(Lease::token).distinct()).hasSize(PERMITS);
        assertBusy(mode, mine);
        all.forEach(mode::release);
    }

    @EachMode
    void semaphore_hasTheMethodsOfALock(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        DistributedSemaphore semaphore = client.semaphore("printers", PERMITS);
        assertThat(semaphore.acquire(2).release()).isNotNull();
        assertThat(semaphore.tryAcquire(PERMITS).orElseThrow().release()).isNotNull();
        assertThat(semaphore.tryAcquire(1, PATIENCE).orElseThrow().release()).isNotNull();
        assertThat(semaphore.acquireAsync(2).join().release()).isNotNull();
        Lease lease = mode.acquire(semaphore);
        LockInfo info = semaphore.inspect().orElseThrow();
        assertThat(info.kind()).isEqualTo(LockInfo.Kind.SEMAPHORE);
        assertThat(info.holders()).hasSize(1);
        String name = semaphore.call(Lease::name);
        assertThat(name).isEqualTo("printers");
        mode.release(lease);
    }

    // ---- names and numbers that do not fit -------------------------------------------------------------------------

    @EachMode
    @DisplayName("P43: nameThatStandsForAnotherKindOrCapacity_isRefused_inEveryOrder")
    void nameThatStandsForAnotherKindOrCapacity_isRefused_inEveryOrder(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        Baton other = connect();
        for (Baton asking : List.of(client, other)) {
            List<DistributedLock> locks = List.of(
                    asking.lock("name"),
                    asking.readWriteLock("name").read(),
                    asking.semaphore("name", PERMITS),
                    asking.semaphore("name", PERMITS + 1));
            List<DistributedLock> present = List.of(
                    client.lock("name"),
                    client.readWriteLock("name").write(),
                    client.semaphore("name", PERMITS),
                    client.semaphore("name", PERMITS + 1));
            for (int i = 0; i < present.size(); i++) {
                Lease held = mode.acquire(present.get(i));
                for (int j = 0; j < locks.size(); j++) {
                    DistributedLock asked = locks.get(j);
                    if (i != j) {
                        assertThatThrownBy(() -> mode.acquire(asked))
                                .isInstanceOf(BatonException.class)
                                .hasMessageContaining("\"name\" is in use as a")
                                .hasMessageContaining("another name");
                    }
                }
                mode.release(held);
            }
        }
    }

    @EachMode
    void numberOfPermits_thatCanNeverBe_isRefusedBeforeAnythingIsSent(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        FaultyStore counted = new FaultyStore();
        Baton client = connect(options().build(), counted);
        long calls = counted.count();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.semaphore("printers", 0))
                .withMessageContaining("at least 1 permit");
        for (int bad : new int[] {-1, 0, PERMITS + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.semaphore("printers", PERMITS).permits(bad))
                    .withMessageContaining("1 to 3")
                    .withMessageContaining("not " + bad);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> client.semaphore("", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> client.readWriteLock(""));
        assertThat(counted.count()).isEqualTo(calls);
        mode.release(mode.acquire(client.semaphore("printers", PERMITS)));
    }
}
