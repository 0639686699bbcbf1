package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import dev.baton.ReentrantDistributedLock;
import dev.baton.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Locks that are kept for a time, even if they are released sooner. */
public abstract class ClientContractKept extends ClientContract {
    /** Longer than a stall of the machine: cases must see it before it is over. */
    private static final Duration KEPT = Duration.ofSeconds(3);

    /** A store's clock may count in whole milliseconds, and a client's differ by the time of a round trip. */
    private static final Duration EARLY = Duration.ofMillis(20);

    /** etcd keeps it by a lease of its own, in whole seconds and of two at least, if the last holder has gone. */
    private static final Duration LATE = Duration.ofSeconds(8);

    private static final LockOptions AT_LEAST = LockOptions.defaults().withAtLeast(KEPT);

    /** For subclasses. */
    protected ClientContractKept() {}

    private static Duration keptFor(Baton admin, String name) {
        return admin.admin().inspect(name).map(LockInfo::keptFor).orElse(Duration.ZERO);
    }

    private void assertKept(Mode mode, Baton client, String name) throws Exception {
        assertThat(mode.tryAcquire(client.lock(name), Duration.ZERO)).isEmpty();
        LockInfo info = client.admin().inspect(name).orElseThrow();
        assertThat(info.holders()).isEmpty();
        // Two clients may know the time of the server only as well as it ends things.
        assertThat(info.keptFor())
                .isPositive()
                .isLessThanOrEqualTo(KEPT.plus(fixture().expiryGrain()).plusMillis(1));
        assertThat(client.lock(name).isLocked()).isFalse();
    }

    /** Without a queue, a waiter asks only now and then. */
    private Duration promptly() {
        return fixture().capabilities().queue() ? MARGIN : LATE;
    }

    private static void assertGrantedInTime(Duration since, Duration limit) {
        assertThat(since).isBetween(KEPT.minus(EARLY), limit);
    }

    private static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    @EachMode
    void atLeast_releasedSooner_keepsTheLockFromEverybody_untilTheTimeIsOver(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        long before = System.nanoTime();
        Lease first = mode.acquire(client.lock("job", AT_LEAST));
        Work<Lease> here = mode.start(() -> mode.acquire(client.lock("job", AT_LEAST)));
        Work<Lease> elsewhere = mode.start(() -> mode.acquire(other.lock("job")));
        throughout(WHILE, "both wait", () -> !here.isDone() && !elsewhere.isDone());
        assertThat(mode.release(first)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(first.isHeld()).isFalse();
        throughout(WHILE, "nobody gets it", () -> !here.isDone() && !elsewhere.isDone());
        assertKept(mode, other, "job");
        until("one of them has it", () -> here.isDone() || elsewhere.isDone());
        assertGrantedInTime(since(before), KEPT.plus(promptly()));
        // Each of them has it in turn; the one of this client keeps it again.
        Work<Lease> next = here.isDone() ? here : elsewhere;
        mode.release(next.get());
        Work<Lease> last = next == here ? elsewhere : here;
        Lease lease = last.get();
        assertThat(lease.token()).isGreaterThan(next.get().token());
        mode.release(lease);
    }

    @EachMode
    void atLeast_releasedLater_keepsNothing(Mode mode) throws Exception {
        LockOptions brief = LockOptions.defaults().withAtLeast(Duration.ofMillis(50));
        Baton client = connect();
        Lease lease = mode.acquire(client.lock("long job", brief));
        pause(Duration.ofMillis(60));
        mode.release(lease);
        assertThat(client.admin().inspect("long job")).isEmpty();
        assertThat(mode.tryAcquire(connect().lock("long job"), Duration.ZERO)).isPresent();
    }

    @EachMode
    void atLeast_outlivesItsClient(Mode mode) throws Exception {
        Baton other = connect();
        for (boolean released : new boolean[] {true, false}) {
            Baton client = connect();
            long before = System.nanoTime();
            Lease lease = mode.acquire(client.lock("job", AT_LEAST));
            if (released) {
                mode.release(lease);
            }
            client.close();
            assertKept(mode, other, "job");
            Lease next = mode.tryAcquire(other.lock("job"), PATIENCE).orElseThrow();
            assertGrantedInTime(since(before), KEPT.plus(LATE));
            mode.release(next);
        }
    }

    @EachMode
    void releaseAndKeep_keepsFromNowOn(Mode mode) throws Exception {
        Baton client = connect();
        Lease lease = mode.acquire(client.lock("job"));
        long before = System.nanoTime();
        assertThat(lease.releaseAndKeep(KEPT)).isEqualTo(ReleaseOutcome.RELEASED);
        assertKept(mode, connect(), "job");
        assertThat(lease.releaseAndKeep(KEPT)).isEqualTo(ReleaseOutcome.NOT_HELD);
        mode.release(mode.acquire(client.lock("job")));
        assertGrantedInTime(since(before), KEPT.plus(promptly()));
        assertThat(mode.acquire(client.lock("job")).releaseAndKeep(Duration.ZERO))
                .isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(client.admin().inspect("job")).isEmpty();
    }

    @EachMode
    void kept_isEndedByForce(Mode mode) throws Exception {
        Baton client = connect();
        Baton admin = connect();
        mode.release(mode.acquire(client.lock("job", LockOptions.defaults().withAtLeast(Duration.ofHours(1)))));
        assertThat(keptFor(admin, "job")).isGreaterThan(Duration.ofMinutes(59));
        Work<Lease> waiting = mode.start(() -> mode.acquire(client.lock("job")));
        throughout(WHILE, "waits", () -> !waiting.isDone());
        assertThat(admin.admin().forceRelease("job")).isEmpty();
        Lease lease = waiting.get();
        assertThat(lease.isHeld()).isTrue();
        mode.release(lease);
    }

    @EachMode
    void lostLease_keepsNothing(Mode mode) throws Exception {
        Baton client = connect();
        Baton admin = connect();
        Lease lease = mode.acquire(client.lock("job", AT_LEAST));
        admin.admin().forceReleaseNow("job");
        until("lost", () -> !lease.isHeld());
        mode.release(lease);
        assertThat(mode.tryAcquire(admin.lock("job"), PATIENCE)).isPresent();
        assertThat(keptFor(admin, "job")).isZero();
    }

    @EachMode
    void atLeast_thatCannotBe_isRefusedWhenTheLockIsMade(Mode mode) throws Exception {
        Baton client = connect();
        LockOptions hour = LockOptions.defaults().withAtLeast(Duration.ofHours(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.defaults().withAtLeast(Duration.ofMillis(-1)))
                .withMessageContaining("atLeast must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.lock("job", hour.withMaxHold(Duration.ofMinutes(20))))
                .withMessageContaining("atLeast must not be longer than the lease time or maxHold");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.lock("job", hour.withLeaseTime(Duration.ofMinutes(20))))
                .withMessageContaining("atLeast must not be longer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.lock("job", hour.withAtLeast(Duration.ofDays(400))))
                .withMessageContaining("365 days");
        Lease lease = mode.acquire(client.lock("job"));
        assertThatIllegalArgumentException().isThrownBy(() -> lease.releaseAndKeep(Duration.ofMillis(-1)));
        assertThat(lease.isHeld()).isTrue();
        mode.release(lease);
        if (fixture().capabilities().shares()) {
            assertThatThrownBy(() -> client.readWriteLock("page", hour).read())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("\"page\"");
            assertThatThrownBy(() -> client.semaphore("gpu", 2, hour))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("use it with a lock or a writer");
            Lease permit = mode.acquire(client.semaphore("gpu", 2));
            assertThatThrownBy(() -> permit.releaseAndKeep(KEPT)).isInstanceOf(UnsupportedOperationException.class);
            mode.release(permit);
        }
    }

    /** In both orders: a reader cannot be kept, and then nothing is released and nothing is kept. */
    @EachMode
    void groupWithAReader_isNotKept_andStaysHeld(Mode mode) throws Exception {
        if (!fixture().capabilities().shares()) {
            return;
        }
        Baton client = connect();
        for (DistributedLock[] locks : new DistributedLock[][] {
            {client.lock("a"), client.readWriteLock("b").read()},
            {client.readWriteLock("a-page").read(), client.lock("b-job")}
        }) {
            Lease all = mode.acquire(DistributedLock.allOf(locks));
            assertThatThrownBy(() -> all.releaseAndKeep(KEPT)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(all.isHeld()).isTrue();
            mode.release(all);
        }
        mode.release(mode.acquire(client.lock("a")));
        mode.release(mode.acquire(client.lock("b-job")));
    }

    @EachMode
    void writer_keepsAReadWriteLock_andItsReadersDoNot(Mode mode) throws Exception {
        if (!fixture().capabilities().shares()) {
            return;
        }
        Baton client = connect();
        DistributedReadWriteLock page = client.readWriteLock("page", AT_LEAST);
        mode.release(mode.acquire(page.write()));
        assertThat(mode.tryAcquire(connect().readWriteLock("page").read(), Duration.ZERO))
                .isEmpty();
        assertThat(keptFor(client, "page")).isPositive();
        client.admin().forceRelease("page");
        mode.release(mode.acquire(client.readWriteLock("page").read()));
        assertThat(client.admin().inspect("page")).isEmpty();
        assertThat(page.asReadWriteLock().readLock().tryLock()).isTrue();
        page.asReadWriteLock().readLock().unlock();
        assertThat(client.admin().inspect("page")).isEmpty();
    }

    @EachMode
    void group_isKeptFromItsLastNameOn(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        Lease busy = mode.acquire(other.lock("b"));
        Work<Lease> waiting =
                mode.start(() -> mode.acquire(client.allOf("a", "b").with(AT_LEAST)));
        until("the first name is held", () -> other.lock("a").isLocked());
        pause(KEPT);
        mode.release(busy);
        mode.release(waiting.get());
        assertKept(mode, other, "a");
        assertKept(mode, other, "b");
    }

    @EachMode
    void leaseThatNoCallerHasUsed_keepsNothing(Mode mode) throws Exception {
        LockOptions hour = LockOptions.defaults().withAtLeast(Duration.ofHours(1));
        Baton client = connect();
        Baton other = connect();
        Lease busy = mode.acquire(other.lock("b"));
        assertThat(mode.tryAcquire(client.allOf("a", "b").with(hour), Duration.ofMillis(50)))
                .isEmpty();
        mode.release(busy);
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        CompletableFuture<String> cancelled = client.lock("c", hour).supplyAsync(Lease::name, tasks::add);
        CompletableFuture<String> together = client.allOf("d", "e").with(hour).supplyAsync(Lease::name, tasks::add);
        until("granted, and the executor has both actions", () -> tasks.size() == 2);
        cancelled.cancel(true);
        together.cancel(true);
        tasks.forEach(Runnable::run);
        for (String name : List.of("a", "b", "c", "d", "e")) {
            until("free: " + name, () -> other.admin().inspect(name).isEmpty());
        }
    }

    @EachMode
    void atLeast_holdsForTemplatesAndGroups(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        DistributedLock job = client.lock("job", AT_LEAST);
        assertThat(job.<Boolean, RuntimeException>call(Lease::isHeld)).isTrue();
        assertKept(mode, other, "job");
        client.allOf("a", "b")
                .with(AT_LEAST)
                .run(lease -> assertThat(lease.isHeld()).isTrue());
        assertKept(mode, other, "a");
        assertKept(mode, other, "b");
        assertThat(client.lock("c", AT_LEAST).supplyAsync(Lease::isHeld).join()).isTrue();
        assertKept(mode, other, "c");
        ReentrantDistributedLock thread = client.reentrantLock("d", AT_LEAST);
        assertThat(thread.tryLock()).isTrue();
        thread.unlock();
        assertKept(mode, other, "d");
    }
}
