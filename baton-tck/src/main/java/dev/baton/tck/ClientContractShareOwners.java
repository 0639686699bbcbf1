package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonException;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.ReentrantDistributedLock;
import dev.baton.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.DisplayName;

/** The view of a read-write lock whose two sides are owned by threads, each side by itself and both together. */
@SuppressWarnings("LockNotBeforeTry") // the test calls lock and unlock one by one
public abstract class ClientContractShareOwners extends ClientContract {
    /** For leases that shall end. */
    private static final Duration BRIEF = Duration.ofMillis(200);

    /** The limit for an answer that asks no server. */
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    /** For subclasses. */
    protected ClientContractShareOwners() {}

    private enum Side {
        READ,
        WRITE;

        ReentrantDistributedLock of(ReadWriteLock lock) {
            return (ReentrantDistributedLock) (this == READ ? lock.readLock() : lock.writeLock());
        }
    }

    private static ReadWriteLock view(Baton client) {
        return client.readWriteLock("page").asReadWriteLock();
    }

    @EachMode
    void eachSide_countsForItsThreadAlone(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        for (Side side : Side.values()) {
            ReentrantDistributedLock mine = side.of(view(client));
            assertThat(mine.isHeldByCurrentThread()).isFalse();
            for (int count = 0; count < 3; count++) {
                assertThat(mine.getHoldCount()).isEqualTo(count);
                assertThat(mine.isLocked()).isEqualTo(count > 0);
                mine.lock();
                assertThat(mine.isHeldByCurrentThread()).isTrue();
            }
            Work<Boolean> elsewhere = mode.start(() -> {
                ReentrantDistributedLock same = side.of(view(client));
                assertThat(same.getHoldCount()).isZero();
                assertThat(same.isHeldByCurrentThread()).isFalse();
                assertThat(same.isLocked()).isTrue();
                assertThatThrownBy(same::unlock).isInstanceOf(IllegalMonitorStateException.class);
                return view(client).writeLock().tryLock();
            });
            assertThat(elsewhere.get()).isFalse();
            for (int count = 3; count > 0; count--) {
                assertThat(mine.getHoldCount()).isEqualTo(count);
                mine.unlock();
            }
            assertThat(mine.isHeldByCurrentThread() || mine.isLocked()).isFalse();
            assertThatThrownBy(mine::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }
    }

    @EachMode
    void readers_ofTwoThreads_countApart_andKeepTheWriterOutUntilBothHaveUnlocked(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        ReadWriteLock lock = view(client);
        lock.readLock().lock();
        Semaphore leave = new Semaphore(0);
        Work<Integer> reader = mode.start(() -> {
            ReentrantDistributedLock theirs = Side.READ.of(lock);
            theirs.lock();
            theirs.lock();
            leave.acquire();
            int count = theirs.getHoldCount();
            theirs.unlock();
            theirs.unlock();
            return count;
        });
        until("both read", leave::hasQueuedThreads);
        assertThat(Side.READ.of(lock).getHoldCount()).isEqualTo(1);
        lock.readLock().unlock();
        Work<Boolean> writes = mode.start(() -> lock.writeLock().tryLock());
        assertThat(writes.get()).isFalse();
        leave.release();
        assertThat(reader.get()).isEqualTo(2);
        Work<Boolean> wrote = mode.start(() -> {
            boolean got = lock.writeLock().tryLock();
            lock.writeLock().unlock();
            return got;
        });
        assertThat(wrote.get()).isTrue();
    }

    @EachMode
    void bothSidesOfAWriter_areRenewed_andSoIsTheReaderThatItBecomes(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        ReadWriteLock both = view(client);
        ReadWriteLock lowered = client.readWriteLock("another page").asReadWriteLock();
        for (ReadWriteLock lock : List.of(both, lowered)) {
            lock.writeLock().lock();
            lock.readLock().lock();
        }
        lowered.writeLock().unlock();
        throughout(
                lease().multipliedBy(3).dividedBy(2),
                "both sides and the reader last",
                () -> lasts(Side.READ, both) && lasts(Side.WRITE, both) && lasts(Side.READ, lowered));
        assertThat(lasts(Side.WRITE, lowered)).isFalse();
        both.writeLock().unlock();
        for (ReadWriteLock lock : List.of(both, lowered)) {
            assertThat(lasts(Side.READ, lock))
                    .as(() ->
                            "lasts, loss: " + Side.READ.of(lock).currentLease().flatMap(Lease::loss))
                    .isTrue();
            lock.readLock().unlock();
            assertThat(lasts(Side.READ, lock)).isFalse();
        }
    }

    private static boolean lasts(Side side, ReadWriteLock lock) {
        return !side.of(lock).remainingLease().isZero();
    }

    @EachMode
    void reentrance_withAnotherLeaseTime_movesTheEndOfNeitherSide(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        // Longer than other brief ones: a stall must not end it before its thread asks again.
        Duration brief = lease();
        Baton other = connect();
        Baton client = connect();
        for (Side side : Side.values()) {
            ReentrantDistributedLock lasting =
                    side.of(client.readWriteLock("lasting " + side).asReadWriteLock());
            lasting.lock();
            assertThat(lasting.tryLock(PATIENCE, brief)).isTrue();
            lasting.unlock();
            ReentrantDistributedLock ending = side.of(view(client));
            ending.lock(brief);
            assertThat(ending.tryLock(PATIENCE, PATIENCE.multipliedBy(2))).isTrue();
            until("over after the first time", () -> !ending.isHeldByCurrentThread());
            ReentrantDistributedLock next = Side.WRITE.of(view(other));
            assertThat(next.tryLock(
                            brief.plus(fixture().expiryGrain()).plus(BEAT).plus(MARGIN)))
                    .isTrue();
            next.unlock();
            assertThat(lasting.isHeldByCurrentThread()).isTrue();
            assertThat(Side.WRITE
                            .of(other.readWriteLock("lasting " + side).asReadWriteLock())
                            .tryLock())
                    .isFalse();
            lasting.unlock();
        }
    }

    @EachMode
    @DisplayName("P36: sideThatIsOver_isUnlockedWithoutAnException_andFreesNoSuccessor")
    void sideThatIsOver_isUnlockedWithoutAnException_andFreesNoSuccessor(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        for (Side side : Side.values()) {
            ReentrantDistributedLock over = side.of(view(connect()));
            ReadWriteLock theirs = view(connect());
            over.lock(lease(BRIEF));
            Side.WRITE.of(theirs).lock();
            assertThat(over.isHeldByCurrentThread()).isFalse();
            assertThat(over.release()).contains(ReleaseOutcome.EXPIRED);
            assertThat(over.tryLock()).isFalse();
            assertThat(Side.WRITE.of(theirs).isHeldByCurrentThread()).isTrue();
            theirs.writeLock().unlock();
        }
    }

    /** A name has one state, so force and questions concern both sides, also if they are asked of the other one. */
    @EachMode
    void forceAndQuestions_ofOneSide_concernTheOther(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton other = connect();
        for (Side held : Side.values()) {
            for (Side asked : Side.values()) {
                ReentrantDistributedLock mine = held.of(view(connect()));
                ReentrantDistributedLock theirs = asked.of(view(other));
                assertThat(theirs.isLocked()).isFalse();
                assertThat(theirs.forceUnlockNow()).isFalse();
                mine.lock();
                assertThat(theirs.isLocked()).isTrue();
                assertThat(theirs.forceUnlockNow()).isTrue();
                until("told", () -> !mine.isHeldByCurrentThread());
                assertThat(theirs.isLocked()).isFalse();
                mine.unlock();
            }
        }
    }

    @EachMode
    @DisplayName("P42: side_inTheThreadThatHoldsTheOther_isRefusedWithinAMillisecond_withoutACall")
    void side_inTheThreadThatHoldsTheOther_isRefusedWithinAMillisecond_withoutACall(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        FaultyStore counted = new FaultyStore();
        DistributedReadWriteLock lock = connect(options().build(), counted).readWriteLock("page");
        ReadWriteLock view = lock.asReadWriteLock();
        view.readLock().lock();
        assertRefusedAtOnce(counted, () -> view.writeLock().lock());
        assertRefusedAtOnce(counted, () -> view.writeLock().tryLock());
        assertRefusedAtOnce(counted, () -> Side.WRITE.of(view).tryLock(PATIENCE));
        assertRefusedAtOnce(counted, () -> lock.write().acquire());
        assertRefusedAtOnce(counted, () -> lock.write().tryAcquire());
        view.readLock().unlock();
        Lease writer = lock.write().acquire();
        assertRefusedAtOnce(counted, () -> lock.read().acquire());
        assertRefusedAtOnce(counted, () -> lock.read().tryAcquire(PATIENCE));
        writer.release();
    }

    private interface Call {
        void run() throws Exception;
    }

    /** The median, because a machine with other work may hold up some of the calls. */
    private static void assertRefusedAtOnce(FaultyStore counted, Call call) {
        int warmUp = 500;
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < warmUp * 2; i++) {
            long acquires = counted.count(FaultyStore.Call.ACQUIRE);
            long start = System.nanoTime();
            assertThatThrownBy(call::run).isInstanceOf(BatonException.class).hasMessageContaining("holds \"page\"");
            times.add(System.nanoTime() - start);
            assertThat(counted.count(FaultyStore.Call.ACQUIRE)).isEqualTo(acquires);
        }
        List<Long> warm = times.subList(warmUp, times.size()).stream().sorted().toList();
        assertThat(Duration.ofNanos(warm.get(warm.size() / 2)))
                .as("a refusal, in the median")
                .isLessThan(AT_ONCE);
    }
}
