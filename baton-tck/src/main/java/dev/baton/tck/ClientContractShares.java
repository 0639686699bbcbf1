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
import dev.baton.LockInfo;
import dev.baton.ReentrantDistributedLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.DisplayName;

/** Read-write locks and semaphores. */
@SuppressWarnings("LockNotBeforeTry") // the test calls lock and unlock one by one
public abstract class ClientContractShares extends ClientContract {
    private static final int PERMITS = 3;

    /** For subclasses. */
    protected ClientContractShares() {}

    /**
     * For a store that has only locks: asserts that it refuses the other kinds when they are made. This ends the case.
     *
     * @return true if the rest of the case does not apply to this store
     */
    private boolean endsWithoutShares() {
        if (fixture().capabilities().shares()) {
            return false;
        }
        Baton client = connect();
        String store = fixture().capabilities().store();
        assertThatThrownBy(() -> client.readWriteLock("shared"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(store)
                .hasMessageContaining("read-write locks");
        assertThatThrownBy(() -> client.semaphore("shared", PERMITS))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(store)
                .hasMessageContaining("semaphores");
        return true;
    }

    private static void assertBusy(Mode mode, DistributedLock lock) throws InterruptedException {
        assertThat(mode.tryAcquire(lock, Duration.ZERO)).isEmpty();
    }

    private static void assertGoesOnWaiting(Work<Lease> waiting) {
        throughout(WHILE, "waits", () -> !waiting.isDone());
    }

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

    @EachMode
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
        lock.writeLock().unlock();
        assertBusy(mode, connect().readWriteLock("page").write());
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
