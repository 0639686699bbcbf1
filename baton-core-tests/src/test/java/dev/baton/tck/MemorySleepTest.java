package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.internal.client.BatonClient;
import dev.baton.internal.client.Connector;
import dev.baton.internal.client.SystemClock;
import dev.baton.internal.engine.Clock;
import dev.baton.internal.memory.MemoryServer;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A machine that goes to sleep for an hour at each of a client's reads of its clocks, one after the other. */
@Timeout(120)
class MemorySleepTest {
    private static final long HOUR_MILLIS = 3_600_000;

    /** More reads than an acquisition, a hand-over, a heartbeat and their deliveries make together. */
    private static final int LOOKS = Boolean.getBoolean("baton.nightly") ? 400 : 120;

    /**
     * While the machine sleeps, the wall clock goes on, as the store's clock does; the monotonic clock stands still.
     */
    private static final class SleepingClock implements Clock {
        private final AtomicLong sleptMillis = new AtomicLong();
        private final AtomicInteger looksLeft = new AtomicInteger(Integer.MAX_VALUE);
        private final Set<Thread> awoken = ConcurrentHashMap.newKeySet();

        void sleepAtLook(int number) {
            awoken.clear();
            looksLeft.set(number);
        }

        /**
         * Returns whether this thread has read a clock since the sleep. One that has not cannot know of it: another thread's read
         * put the machine to sleep after this one had seen that its lease is held.
         */
        boolean mayKnow() {
            return awoken.contains(Thread.currentThread());
        }

        /** Prevents further sleep. Returns whether the machine has slept. */
        boolean stayAwake() {
            return looksLeft.getAndSet(Integer.MAX_VALUE) < 0;
        }

        private void look() {
            if (looksLeft.get() != Integer.MAX_VALUE) {
                int left = looksLeft.decrementAndGet();
                if (left == -1) {
                    sleptMillis.addAndGet(HOUR_MILLIS);
                }
                if (left < 0) {
                    awoken.add(Thread.currentThread());
                }
            }
        }

        @Override
        public long nanos() {
            look();
            return SystemClock.INSTANCE.nanos();
        }

        @Override
        public long wallMillis() {
            look();
            return SystemClock.INSTANCE.wallMillis() + sleptMillis.get();
        }

        long storeMicros() {
            return (SystemClock.INSTANCE.wallMillis() + sleptMillis.get()) * 1_000;
        }
    }

    private final SleepingClock clock = new SleepingClock();
    private final MemoryServer server = new MemoryServer(Timings.DEFAULTS, "sleeps", clock::storeMicros);

    private Baton connect() throws StoreFailure {
        String id = Connector.newClientId();
        BatonOptions options =
                BatonOptions.builder().leaseTime(Duration.ofSeconds(30)).build();
        return new BatonClient(id, options, Timings.DEFAULTS, clock, listener -> server.connect(id, listener));
    }

    @Test
    void sleep_atEachStepOfAnAcquisition_givesNoLeaseThatIsNotHeld() throws Exception {
        int slept = 0;
        for (int look = 0; look < LOOKS; look++) {
            try (Baton client = connect()) {
                clock.sleepAtLook(look);
                Lease lease = client.lock("a").acquire();
                slept += clock.stayAwake() ? 1 : 0;
                assertThat(lease.isHeld()).as("asleep at look %d", look).isTrue();
                lease.close();
            }
        }
        assertThat(slept).as("looks of an acquisition at which it slept").isPositive();
    }

    @Test
    void sleep_atEachStepOfALocalHandOff_givesNoLeaseThatIsNotHeld() throws Exception {
        sleepAtEachStep(false);
    }

    @Test
    void sleep_atEachStepOfAPush_givesNoLeaseThatIsNotHeld() throws Exception {
        sleepAtEachStep(true);
    }

    /** Passes the lock on, within a client or through the store, while the machine falls asleep. */
    private void sleepAtEachStep(boolean betweenClients) throws Exception {
        int slept = 0;
        for (int look = 0; look < LOOKS; look++) {
            try (Baton client = connect();
                    Baton other = betweenClients ? connect() : client) {
                DistributedLock lock = client.lock("b");
                Lease first = lock.acquire();
                CompletableFuture<Boolean> held = other.lock("b").acquireAsync().thenApply(lease -> {
                    boolean mayKnow = clock.mayKnow();
                    boolean unused = clock.stayAwake();
                    boolean now = lease.isHeld();
                    lease.close();
                    return now || !mayKnow;
                });
                long before = clock.sleptMillis.get();
                clock.sleepAtLook(look);
                first.close();
                assertThat(held.get(20, TimeUnit.SECONDS))
                        .as("asleep at look %d", look)
                        .isTrue();
                slept += clock.sleptMillis.get() > before ? 1 : 0;
            }
        }
        assertThat(slept).as("looks of a hand-over at which it slept").isPositive();
    }
}
