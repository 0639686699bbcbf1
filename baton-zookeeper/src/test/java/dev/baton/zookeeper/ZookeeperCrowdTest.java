package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cost of many waiters for one lock: while nothing happens, and at each release. */
@Tag("serial")
class ZookeeperCrowdTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final Timings PATIENT =
            new Timings(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(5));
    private static final Resource HERD = Resource.lock("herd");

    /** Returns the events sent to clients, which no request asked for. */
    private static long events(InnerServer server, List<ZookeeperClient> clients) throws Exception {
        for (ZookeeperClient each : clients) {
            // Its answer follows the events of everything before.
            each.store().ping(ZookeeperClient.TIMEOUT_NANOS);
        }
        long most = Long.MIN_VALUE;
        for (int i = 0; i < 200; i++) {
            // Answers in progress count as requested, but not as sent: the result is never too high.
            most = Math.max(most, server.sent() - server.received());
            LockSupport.parkNanos(100_000);
        }
        return most;
    }

    private static void connect(InnerServer server, int number, List<ZookeeperClient> clients) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<ZookeeperClient>> connecting = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                connecting.add(threads.submit(() -> new ZookeeperClient(PATIENT, server.uri())));
            }
            for (Future<ZookeeperClient> each : connecting) {
                clients.add(each.get(60, TimeUnit.SECONDS));
            }
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 200})
    @DisplayName("P28: oneRelease_wakesExactlyOneClient")
    void oneRelease_wakesExactlyOneClient(int waiters) throws Exception {
        List<ZookeeperClient> clients = new ArrayList<>();
        try (InnerServer server = new InnerServer()) {
            try {
                connect(server, waiters + 1, clients);
                Release held = clients.get(0).hold(HERD);
                List<Long> attempts = new ArrayList<>(List.of(held.attempt()));
                for (int i = 1; i <= waiters; i++) {
                    attempts.add(clients.get(i).queue(HERD));
                }
                List<Long> sessions = server.owners(ZookeeperClient.parent(HERD));
                for (int i = 1; i <= Math.min(waiters, waiters > 100 ? 3 : 8); i++) {
                    long events = events(server, clients);
                    long before = server.requests(sessions.get(i - 1));
                    long next = server.requests(sessions.get(i));
                    assertThat(clients.get(i - 1).release(held)).isTrue();
                    Push push = clients.get(i).awaitPush();
                    assertThat(push.token()).isGreaterThan(held.token());
                    assertThat(server.requests(sessions.get(i - 1)) - before).isEqualTo(1);
                    // One read of the queue if others stood between.
                    assertThat(server.requests(sessions.get(i)) - next).isEqualTo(i == 1 ? 0 : 1);
                    assertThat(events(server, clients) - events)
                            .as("clients woken by release %d", i)
                            .isEqualTo(1);
                    assertThat(clients.stream()
                                    .mapToInt(ZookeeperClient::pushes)
                                    .sum())
                            .isZero();
                    held = clients.get(i).releaseOf(HERD, attempts.get(i), push.token());
                }
            } finally {
                clients.forEach(ZookeeperClient::close);
            }
        }
    }

    @Test
    @DisplayName("P28: waiters_thatNothingHappensTo_sendAFifthOfARequestASecond")
    void waiters_thatNothingHappensTo_sendAFifthOfARequestASecond() throws Exception {
        int waiters = 16;
        int seconds = NIGHTLY ? 60 : 14;
        List<Baton> batons = new ArrayList<>();
        BatonOptions options = BatonOptions.builder()
                .namespace("tests")
                .leaseTime(Duration.ofMinutes(5))
                .connectTimeout(Duration.ofSeconds(20))
                .build();
        // With the default session.
        try (InnerServer server = new InnerServer()) {
            try {
                String uri = server.uri().replace("sessionTimeout=60s", "sessionTimeout=10s");
                Baton holder = Baton.connect(uri, options);
                batons.add(holder);
                Lease lease = holder.lock("herd").acquire();
                long ofHolder = server.sessions().get(0);
                List<CompletableFuture<?>> waiting = new ArrayList<>();
                for (int i = 0; i < waiters; i++) {
                    Baton baton = Baton.connect(uri, options);
                    batons.add(baton);
                    waiting.add(baton.lock("herd").acquireAsync().thenCompose(Lease::releaseAsync));
                }
                ZookeeperClient.until(
                        "all wait",
                        () -> server.children(ZookeeperClient.parent(HERD)).size() > waiters);
                // Curator sends requests of its own after connecting.
                TimeUnit.SECONDS.sleep(1);
                long requests = server.requests() - server.requests(ofHolder);
                long packets = server.received();
                long events = server.sent() - packets;
                long start = System.nanoTime();
                TimeUnit.SECONDS.sleep(seconds);
                long asked = server.requests() - server.requests(ofHolder) - requests;
                System.out.println("ZooKeeper: " + waiters + " waiters sent " + asked + " requests in " + seconds
                        + " s; with their holder and all signs of life, " + (server.received() - packets));
                // One more for each, since a window may begin just before a request. A stall makes it longer.
                long passed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
                assertThat(asked).isLessThanOrEqualTo(waiters * (passed / 5 + 1));
                assertThat(server.sent() - server.received() - events)
                        .as("events")
                        .isLessThanOrEqualTo(1);
                lease.release();
                for (CompletableFuture<?> each : waiting) {
                    each.get(20, TimeUnit.SECONDS);
                }
            } finally {
                batons.forEach(Baton::close);
            }
        }
    }

    @Test
    void heartbeat_ofAHold_readsOnceWhetherOthersQueue_andWritesNothing() throws Exception {
        try (InnerServer server = new InnerServer();
                ZookeeperClient one = new ZookeeperClient(server.uri());
                ZookeeperClient two = new ZookeeperClient(server.uri())) {
            Release held = one.hold(HERD);
            assertThat(one.beat(held, "test"))
                    .isInstanceOfSatisfying(
                            Heartbeat.Renewed.class,
                            renewed -> assertThat(renewed.contended()).isFalse());
            long attempt = two.queue(HERD);
            two.store().ping(ZookeeperClient.TIMEOUT_NANOS);
            long requests = server.requests();
            for (int i = 0; i < 10; i++) {
                assertThat(((Heartbeat.Renewed) one.beat(held, "test")).contended())
                        .isTrue();
            }
            assertThat(server.requests() - requests).isEqualTo(20);
            two.cancel(HERD, attempt);
            assertThat(((Heartbeat.Renewed) one.beat(held, "test")).contended()).isFalse();
        }
    }

    @Test
    void descriptionOfAHold_thatIsWritten_sendsNobodyToLookAtTheLine() throws Exception {
        try (InnerServer server = new InnerServer();
                ZookeeperClient one = new ZookeeperClient(server.uri());
                ZookeeperClient two = new ZookeeperClient(server.uri())) {
            Release held = one.hold(HERD);
            two.queue(HERD);
            two.store().ping(ZookeeperClient.TIMEOUT_NANOS);
            long requests = server.requests();
            for (int i = 1; i <= 5; i++) {
                assertThat(one.beat(held, "thread " + i)).isInstanceOf(Heartbeat.Renewed.class);
                // The event and the read that watches again come before its answer.
                two.store().ping(ZookeeperClient.TIMEOUT_NANOS);
                two.store().ping(ZookeeperClient.TIMEOUT_NANOS);
            }
            // Each a count, a write, a watch that is set again, and two pings.
            assertThat(server.requests() - requests).isEqualTo(5 * 5);
            assertThat(two.store()
                            .inspect(HERD.name(), ZookeeperClient.TIMEOUT_NANOS)
                            .orElseThrow()
                            .holds())
                    .singleElement()
                    .satisfies(each -> assertThat(each.description()).isEqualTo("thread 5"));
            one.release(held);
            assertThat(two.awaitPush().token()).isGreaterThan(held.token());
        }
    }

    @Test
    void ping_isOneRequest() throws Exception {
        try (InnerServer server = new InnerServer();
                ZookeeperClient client = new ZookeeperClient(server.uri())) {
            client.store().ping(ZookeeperClient.TIMEOUT_NANOS);
            long requests = server.requests();
            for (int i = 0; i < 10; i++) {
                client.store().ping(ZookeeperClient.TIMEOUT_NANOS);
            }
            assertThat(server.requests() - requests).isEqualTo(10);
        }
    }
}
