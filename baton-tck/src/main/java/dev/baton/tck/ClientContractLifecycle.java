package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.spi.Deadline;
import dev.baton.tck.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a client leaves behind: in the store, in the heap, and when it closes. */
public abstract class ClientContractLifecycle extends ClientContract {
    private static final long ENOUGH_NANOS = 5_000_000_000L;

    /** For subclasses. */
    protected ClientContractLifecycle() {}

    @EachMode
    @DisplayName("P34: close_withAThousandLeases_freesThemAllAndFailsWhoWaits")
    void close_withAThousandLeases_freesThemAllAndFailsWhoWaits(Mode mode) throws Exception {
        int count = 1_000;
        Duration lease = Duration.ofSeconds(30);
        Baton other = connect(options().leaseTime(lease).grace(lease).build());
        Baton client = connect(options().leaseTime(lease).grace(lease).build());
        List<Lease> leases = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            leases.add(client.lock("deploy " + i).tryAcquire().orElseThrow());
        }
        // Two seconds, unless this machine is so busy that acquiring the leases took longer.
        Duration limit = Duration.ofNanos(Math.max(TimeUnit.SECONDS.toNanos(2), System.nanoTime() - begin));
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        leases.get(0).onLost(lost::complete);
        Work<Lease> waiter = mode.start(() -> mode.acquire(client.lock("deploy 1")));
        until("waits", waiter::isWaiting);
        // Closing does not release a lease that was lost before: it ends with its lease time.
        assertThat(leases).allMatch(Lease::isHeld);
        try (LogWatch log = new LogWatch();
                JvmHiccups hiccups = new JvmHiccups()) {
            long start = System.nanoTime();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(hiccups.fair(limit, 2));
            assertThatThrownBy(waiter::get)
                    .isInstanceOf(BatonClosedException.class)
                    .hasMessageContaining("closed");
            assertThat(lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.CLIENT_CLOSED);
            assertThat(leases).noneMatch(Lease::isHeld);
            assertThat(log.warnings()).isEmpty();
            assertThat(other.admin().list("deploy", 10)).isEmpty();
            client.close();
            assertThat(log.warnings()).isEmpty();
        }
    }

    @EachMode
    void close_byAHolder_interruptsOtherHoldersAndNotTheCaller(Mode mode) throws Exception {
        LockOptions interrupting = LockOptions.defaults().withInterruptOnLoss(true);
        Baton client = connect();
        CompletableFuture<Boolean> other = new CompletableFuture<>();
        CountDownLatch holds = new CountDownLatch(1);
        Work<Boolean> holder = mode.start(() -> {
            assertThat(client.lock("of another", interrupting).acquire().isHeld())
                    .isTrue();
            holds.countDown();
            return other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        });
        assertThat(holds.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Work<Boolean> closer = mode.start(() -> {
            Lease mine = client.lock("of its own", interrupting).acquire();
            client.close();
            return !mine.isHeld() && !Thread.currentThread().isInterrupted();
        });
        assertThat(closer.get()).isTrue();
        assertThatThrownBy(holder::get).isInstanceOf(InterruptedException.class);
    }

    @EachMode
    @DisplayName("P34: closedClient_isOfNoUseAnyMoreAndSaysSo")
    void closedClient_isOfNoUseAnyMoreAndSaysSo(Mode mode) {
        Baton client = connect();
        DistributedLock lock = client.lock("closed");
        assertThat(client.isClosed()).isFalse();
        client.close();
        assertThat(client.isClosed()).isTrue();
        assertThatThrownBy(() -> mode.acquire(lock))
                .isInstanceOf(BatonClosedException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> client.admin().list("", 1)).isInstanceOf(BatonClosedException.class);
    }

    @EachMode
    @DisplayName("P34: close_ofAStoreThatIsGone_takesNoLongerThanTheStoreTimeout")
    void close_ofAStoreThatIsGone_takesNoLongerThanTheStoreTimeout(Mode mode) throws Exception {
        FaultyStore cut = new FaultyStore();
        Duration limit = Duration.ofSeconds(1);
        Baton client = connect(options().storeTimeout(limit).build(), cut);
        // So many that one after the other would take much longer than the limit and a stall.
        for (int i = 0; i < 20; i++) {
            mode.acquire(client.lock("gone " + i));
        }
        cut.script(FaultyStore.always(Fault.SILENCE));
        long start = System.nanoTime();
        client.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(limit.plus(MARGIN));
    }

    @EachMode
    @DisplayName("P29: names_usedOnce_leaveNothingAtTheStore")
    void names_usedOnce_leaveNothingAtTheStore(Mode mode) throws Exception {
        Baton client = connect();
        mode.release(mode.acquire(client.lock("base")));
        long base = fixture().residue();
        for (int i = 0; i < size(1_000_000, 3_000); i++) {
            mode.release(
                    mode.tryAcquire(client.lock("once " + i), Duration.ZERO).orElseThrow());
        }
        awaitResidue(mode, client, base);
        assertThat(client.admin().list("", 10)).isEmpty();
    }

    @Test
    @DisplayName("P19: names_inMillionsOnceEach_leaveTheHeapAsItWas")
    void names_inMillionsOnceEach_leaveTheHeapAsItWas() {
        Baton client = connect();
        int names = size(10_000_000, 200_000);
        int warm = useOnce(client, "warm-up ", names / 10);
        assertThat(warm).isGreaterThan(100);
        long before = usedHeap();
        int used = useOnce(client, "name ", names);
        assertThat(used).isGreaterThan(100);
        long grown = usedHeap() - before;
        assertThat(grown).as("bytes per name").isLessThan(4_000_000 + used / 10L);
    }

    /**
     * Uses each name once, and returns how many. By day, as many as a store that writes to a disk can do in a few
     * seconds.
     */
    private static int useOnce(Baton client, String prefix, int count) {
        Deadline enough = Deadline.in(ENOUGH_NANOS);
        int used = 0;
        while (used < count && (nightly() || enough.leftNanos() > 0)) {
            client.lock(prefix + used++).tryAcquire().orElseThrow().close();
        }
        return used;
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            pause(Duration.ofMillis(20));
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
