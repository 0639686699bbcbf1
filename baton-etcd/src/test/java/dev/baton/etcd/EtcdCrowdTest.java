package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.servers.EtcdServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cost of many waiters for one lock: while nothing happens, and at each release. */
@Tag("serial")
class EtcdCrowdTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Timings PATIENT =
            new Timings(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(5));
    private static EtcdServer server;

    @BeforeAll
    static void start() throws Exception {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static long calls(String method) throws Exception {
        return EtcdServerMetrics.calls(server, method);
    }

    /** Counts everything except keep-alives: those come by themselves, six in each client's ttl. */
    private static long requests() throws Exception {
        return calls("Txn") + calls("Range") + calls("Put") + calls("DeleteRange") + calls("Watch");
    }

    private static long events() throws Exception {
        return (long) Double.parseDouble(EtcdServerMetrics.of(server, "etcd_debugging_mvcc_events_total"));
    }

    private static long watchers() throws Exception {
        return (long) Double.parseDouble(EtcdServerMetrics.of(server, "etcd_debugging_mvcc_watcher_total"));
    }

    /** Waits until every waiting ticket has an established watch: a release then reaches all its watchers. */
    private static void settled(long watchers) throws Exception {
        long limit = System.nanoTime() + PATIENCE.toNanos();
        for (long now; (now = watchers()) != watchers; TimeUnit.MILLISECONDS.sleep(5)) {
            assertThat(System.nanoTime())
                    .as("time for %d watches, of which %d stand", watchers, now)
                    .isLessThan(limit);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 200})
    @DisplayName("P28: oneRelease_wakesExactlyOneClient")
    void oneRelease_wakesExactlyOneClient(int waiters) throws Exception {
        Resource herd = Resource.lock("herd of " + waiters);
        String uri = server.uri() + "/herd-" + waiters + "?ttl=60s&shortLeases=true";
        List<EtcdTestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i <= waiters; i++) {
                clients.add(new EtcdTestClient(PATIENT, uri, String.format("%016x", i)));
            }
            Release held = clients.get(0).hold(herd);
            List<Long> attempts = new ArrayList<>(List.of(held.attempt()));
            for (int i = 1; i <= waiters; i++) {
                attempts.add(clients.get(i).next());
                assertThat(clients.get(i).acquire(herd, attempts.get(i), Acquire.Mode.QUEUE))
                        .isInstanceOf(Acquire.Queued.class);
            }
            settled(waiters);
            for (int i = 1; i <= Math.min(waiters, 8); i++) {
                long events = events();
                assertThat(clients.get(i - 1).release(held)).isTrue();
                Push push = clients.get(i).push(PATIENCE);
                assertThat(push).as("push %d", i).isNotNull();
                settled(waiters - i);
                assertThat(events() - events)
                        .as("clients woken by release %d", i)
                        .isEqualTo(1);
                assertThat(clients.stream().mapToInt(EtcdTestClient::pushes).sum())
                        .isZero();
                held = clients.get(i).releaseOf(herd, attempts.get(i), push.token());
            }
        } finally {
            clients.forEach(EtcdTestClient::close);
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
                .connectTimeout(PATIENCE)
                .build();
        try {
            // The default life of a client's lease.
            String uri = server.uri() + "/idle";
            EtcdTestClient holder = new EtcdTestClient(uri, "a");
            try {
                Release held = holder.hold(Resource.lock("herd"));
                List<CompletableFuture<?>> waiting = new ArrayList<>();
                for (int i = 0; i < waiters; i++) {
                    Baton baton = Baton.connect(uri, options);
                    batons.add(baton);
                    waiting.add(baton.lock("herd").acquireAsync().thenCompose(Lease::releaseAsync));
                }
                settled(waiters);
                // Each is read once more when its watch is established.
                TimeUnit.SECONDS.sleep(1);
                long requests = requests();
                long keepAlives = calls("LeaseKeepAlive");
                long events = events();
                long start = System.nanoTime();
                TimeUnit.SECONDS.sleep(seconds);
                long asked = requests() - requests;
                System.out.println("etcd: " + waiters + " waiters sent " + asked + " requests in " + seconds
                        + " s, and with their holder " + (calls("LeaseKeepAlive") - keepAlives) + " signs of life");
                // One more for each, since a window may begin just before a request. A stall makes it longer.
                long passed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
                assertThat(asked).isLessThanOrEqualTo(waiters * (passed / 5 + 1));
                assertThat(events() - events).as("events").isZero();
                holder.release(held);
                for (CompletableFuture<?> each : waiting) {
                    each.get(20, TimeUnit.SECONDS);
                }
            } finally {
                holder.close();
            }
        } finally {
            batons.forEach(Baton::close);
        }
    }

    @Test
    void heartbeat_ofAHold_readsOnceWhetherOthersQueue() throws Exception {
        Resource lock = Resource.lock("counted");
        String uri = server.uri() + "/counted?ttl=60s&shortLeases=true";
        try (EtcdTestClient one = new EtcdTestClient(uri, "a");
                EtcdTestClient two = new EtcdTestClient(uri, "b")) {
            Release held = one.hold(lock);
            assertThat(((Heartbeat.Renewed) one.beat(held)).contended()).isFalse();
            long attempt = two.next();
            two.acquire(lock, attempt, Acquire.Mode.QUEUE);
            settled(1);
            long requests = requests();
            for (int i = 0; i < 10; i++) {
                assertThat(((Heartbeat.Renewed) one.beat(held)).contended()).isTrue();
            }
            assertThat(requests() - requests).isEqualTo(20);
            two.cancel(lock, attempt, EtcdTestClient.TIMEOUT_NANOS);
            assertThat(((Heartbeat.Renewed) one.beat(held)).contended()).isFalse();
        }
    }

    @Test
    void ping_isOneRequest() throws Exception {
        try (EtcdTestClient client = new EtcdTestClient(server.uri() + "/ping?ttl=60s", "a")) {
            client.store().ping(EtcdTestClient.TIMEOUT_NANOS);
            long requests = requests();
            for (int i = 0; i < 10; i++) {
                client.store().ping(EtcdTestClient.TIMEOUT_NANOS);
            }
            assertThat(requests() - requests).isEqualTo(10);
        }
    }
}
