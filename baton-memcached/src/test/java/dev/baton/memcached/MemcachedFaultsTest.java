package dev.baton.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.servers.MemcachedServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.JvmHiccups;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of a Memcached that affect a lock: it evicts the item, forgets it, or falls silent. */
class MemcachedFaultsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration BRIEF = Duration.ofSeconds(1);

    private final AtomicInteger filled = new AtomicInteger();

    /** Adds items of all sizes of a lock's, until memory is full; returns the server's answer to the last one. */
    private String fill(MemcachedServer server) {
        StringBuilder all = new StringBuilder();
        String line = "";
        for (int size = 60; size <= 200; size += 20) {
            String value = "x".repeat(size);
            for (int i = 0; i < 8_000; i++) {
                line = "set fill-%d 0 0 %d".formatted(filled.incrementAndGet(), size);
                all.append(line).append(" noreply\r\n").append(value).append("\r\n");
            }
        }
        server.command(all + "get none");
        return server.command(line + "\r\n" + "x".repeat(200)).get(0);
    }

    @Test
    @Timeout(60)
    @DisplayName("P38: eviction_ofALock_isToldToItsHolder_andTheNextTokenIsGreater")
    void eviction_ofALock_isToldToItsHolder_andTheNextTokenIsGreater() throws Exception {
        try (MemcachedServer server = MemcachedServer.start("-m", "2");
                TestClient holder = new TestClient(server.uri());
                TestClient other = new TestClient(server.uri())) {
            TestClient.Held held = holder.hold("evicted", Duration.ofHours(1));
            fillUntilGone(server, "ns%3Aevicted");
            assertThat(Long.parseLong(server.stats().get("evictions"))).isPositive();
            assertThat(other.hold("evicted", LEASE).token()).isGreaterThan(held.token());
            assertThat(holder.renew(held, LEASE)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
            assertThat(holder.release(held)).as("another's").isFalse();
        }
    }

    @Test
    @Timeout(60)
    @DisplayName("P2, P38: eviction_ofALockThatIsRenewed_isToldWithTheNextHeartbeat")
    void eviction_ofALockThatIsRenewed_isToldWithTheNextHeartbeat() throws Exception {
        Duration lease = Duration.ofSeconds(6);
        try (MemcachedServer server = MemcachedServer.start("-m", "2");
                Baton baton = Baton.connect(
                        server.uri(),
                        BatonOptions.builder()
                                .leaseTime(lease)
                                .connectTimeout(Duration.ofSeconds(20))
                                .build())) {
            CompletableFuture<LossCause> told = new CompletableFuture<>();
            Lease renewed = baton.lock("renewed").acquire();
            renewed.onLost(told::complete);
            fillUntilGone(server, "baton%3Arenewed");
            // A lease that ran out would have another cause.
            assertThat(told.get(20, TimeUnit.SECONDS)).isEqualTo(LossCause.REVOKED);
            assertThat(renewed.isHeld()).isFalse();
        }
    }

    /** Fills memory without reading the item itself, which would keep it young. */
    private void fillUntilGone(MemcachedServer server, String key) {
        do {
            fill(server);
        } while (server.command("lru_crawler metadump hash").stream()
                .anyMatch(line -> line.startsWith("key=" + key + ' ')));
    }

    @Test
    void memory_thatIsFullAndNotEvicted_refusesNewLocks_andKeepsTheOthers() throws Exception {
        try (MemcachedServer server = MemcachedServer.start("-M", "-m", "2");
                TestClient client = new TestClient(server.uri())) {
            TestClient.Held held = client.hold("before", LEASE);
            assertThat(fill(server)).startsWith("SERVER_ERROR");
            assertThatThrownBy(() -> client.tryAcquire("after", LEASE))
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreFailure.class))
                    .returns(StoreFailure.Effect.NONE, StoreFailure::effect)
                    .extracting(StoreFailure::getMessage, InstanceOfAssertFactories.STRING)
                    .contains("\"after\"", "out of memory");
            assertThat(client.tryAcquire("before", LEASE)).isInstanceOf(Acquire.Held.class);
            assertThat(client.release(held)).isTrue();
        }
    }

    @Test
    void restart_isAnotherServer_onWhichAllHoldsAreLost() throws Exception {
        try (MemcachedServer server = MemcachedServer.start();
                TestClient holder = new TestClient(server.uri());
                TestClient other = new TestClient(server.uri())) {
            TestClient.Held held = holder.hold("forgotten", LEASE);
            TimeUnit.MILLISECONDS.sleep(1_100);
            server.restart();
            assertThatThrownBy(() -> holder.renew(held, LEASE))
                    .as("the connection is gone")
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreFailure.class))
                    .returns(StoreFailure.Reason.UNREACHABLE, StoreFailure::reason);
            assertThat(holder.renew(held, LEASE)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
            assertThatThrownBy(() -> other.tryAcquire("forgotten", LEASE)).isInstanceOf(StoreFailure.class);
            TestClient.Held next = other.hold("forgotten", LEASE);
            assertThat(next.token()).isGreaterThan(held.token());
            assertThat(next.granted().stamp().runId())
                    .isNotEqualTo(held.granted().stamp().runId());
        }
    }

    @Test
    void server_thatIsNotThere_hasNoEffect() throws Exception {
        try (MemcachedServer server = MemcachedServer.start();
                TestClient client = new TestClient(server.uri())) {
            server.kill();
            assertThatThrownBy(() -> client.tryAcquire("first", LEASE)).isInstanceOf(StoreFailure.class);
            assertThatThrownBy(() -> client.tryAcquire("second", LEASE))
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreFailure.class))
                    .returns(StoreFailure.Effect.NONE, StoreFailure::effect)
                    .returns(StoreFailure.Reason.UNREACHABLE, StoreFailure::reason);
            server.restart();
            client.release(client.hold("third", LEASE));
        }
    }

    @Test
    @DisplayName("P15: silence_endsWithTheCallsTime_andAnswersThatComeLateAreNobodys")
    void silence_endsWithTheCallsTime_andAnswersThatComeLateAreNobodys() throws Exception {
        try (JvmHiccups hiccups = new JvmHiccups();
                MemcachedServer server = MemcachedServer.start();
                TestClient client = new TestClient(server.uri())) {
            TestClient.Held held = client.hold("kept", LEASE);
            server.pause();
            Acquire unanswered = client.asking("ghost", BRIEF);
            long start = System.nanoTime();
            assertThatThrownBy(() -> client.store().acquire(unanswered, TimeUnit.SECONDS.toNanos(1)))
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreFailure.class))
                    .returns(StoreFailure.Effect.UNKNOWN, StoreFailure::effect);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(1), hiccups.fair(Duration.ofSeconds(3), 3));
            server.resume();
            assertThat(client.renew(held, LEASE)).isInstanceOf(Heartbeat.Renewed.class);
            client.cancel(unanswered);
            assertThat(client.tryAcquire("ghost", BRIEF)).isInstanceOf(Acquire.Granted.class);
            assertThat(client.release(held)).isTrue();
        }
    }

    /** The process counts seconds from where it was stopped, until its clock ticks. */
    @Test
    void server_thatWasStopped_keepsWhatItWasToldMeanwhileForItsWholeLease() throws Exception {
        Duration lease = Duration.ofSeconds(1);
        try (MemcachedServer server = MemcachedServer.start();
                TestClient holder = new TestClient(server.uri());
                TestClient other = new TestClient(server.uri())) {
            server.pause();
            TimeUnit.MILLISECONDS.sleep(2_500);
            long sent = System.nanoTime();
            CompletableFuture<TestClient.Held> hold = CompletableFuture.supplyAsync(() -> {
                try {
                    return holder.hold("stopped", lease);
                } catch (StoreFailure e) {
                    throw new AssertionError(e);
                }
            });
            TimeUnit.MILLISECONDS.sleep(500);
            server.resume();
            hold.get();
            expectKept(other, "stopped", sent, lease.minusMillis(50));
        }
    }

    /** Expects that another client does not get the lock for so long after it was asked for. */
    private static void expectKept(TestClient other, String name, long sentNanos, Duration time) throws Exception {
        while (System.nanoTime() - sentNanos < time.toNanos()) {
            Acquire.Reply reply = other.tryAcquire(name, LEASE);
            // The time of the answer counts: this machine may have stalled before the question.
            if (System.nanoTime() - sentNanos < time.toNanos()) {
                assertThat(reply).isInstanceOf(Acquire.Held.class);
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Between two ticks that come late, the server's clock says one value for longer than a second, and skips the next. */
    @Test
    void server_whoseClockTicksLate_keepsALockForItsWholeLease() throws Exception {
        Duration lease = Duration.ofMillis(300);
        try (MemcachedServer server = MemcachedServer.start();
                TestClient other = new TestClient(server.uri())) {
            other.release(other.hold("connects", LEASE));
            tickJustBeforeTheSecond(server);
            sleepUntilPartOfSecond(800);
            try (TestClient holder = new TestClient(server.uri())) {
                long sent = System.nanoTime();
                holder.hold("late tick", lease);
                sleepUntilPartOfSecond(900);
                server.pause();
                sleepUntilPartOfSecond(10);
                server.resume();
                expectKept(other, "late tick", sent, lease.minusMillis(10));
            }
        }
    }

    /** Moves the tick of the server's clock, which follows the machine's monotonic one, into the last part of a second. */
    private static void tickJustBeforeTheSecond(MemcachedServer server) throws Exception {
        sleepUntilPartOfSecond(0);
        server.pause();
        TimeUnit.MILLISECONDS.sleep(1_200);
        sleepUntilPartOfSecond(930);
        server.resume();
    }

    private static void sleepUntilPartOfSecond(long millis) throws InterruptedException {
        long second = TimeUnit.SECONDS.toNanos(1);
        long ahead = TimeUnit.MILLISECONDS.toNanos(millis) - Math.floorMod(System.nanoTime(), second);
        TimeUnit.NANOSECONDS.sleep(Math.floorMod(ahead, second));
    }
}
