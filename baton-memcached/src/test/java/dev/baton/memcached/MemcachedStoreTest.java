package dev.baton.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.servers.MemcachedServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Acquire;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import dev.baton.tck.JvmHiccups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Features of Memcached alone: items, keys, time in seconds, versions as tokens. */
class MemcachedStoreTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** A round trip to a server that is far. */
    private static final Duration FAR = Duration.ofMillis(20);

    /** A name whose key is hashed. */
    private static final String LONG = "long ".repeat(100);

    private final MemcachedServer server = MemcachedServer.shared();

    @BeforeEach
    void empty() {
        server.command("flush_all");
    }

    private TestClient client() throws StoreFailure {
        return new TestClient(server.uri());
    }

    @Test
    void contextForTls_isRefused() throws Exception {
        BatonOptions context =
                BatonOptions.builder().driverObject(SSLContext.getDefault()).build();
        assertThatThrownBy(() -> Baton.connect(server.uri(), context))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SSLContext");
    }

    @Test
    void item_ofALock_isReadable_andGoneAfterItsRelease() throws Exception {
        try (TestClient client = client()) {
            TestClient.Held held = client.hold("stock: sku/42 ü", LEASE);
            List<String> item = server.command("get ns:stock%3A%20sku%2F42%20%C3%BC");
            assertThat(item.get(1)).startsWith("1 ").endsWith(" stock%3A%20sku%2F42%20%C3%BC test");
            client.renew(held, LEASE);
            assertThat(server.command("get ns:stock%3A%20sku%2F42%20%C3%BC").get(1))
                    .as("an item that is rewritten says its token")
                    .contains(" " + held.token() + " ");
            assertThat(client.release(held)).isTrue();
            assertThat(server.command("get ns:stock%3A%20sku%2F42%20%C3%BC")).containsExactly("END");
        }
    }

    @Test
    void lock_thatIsNotRenewed_livesForItsLease_andNotMuchLonger() throws Exception {
        try (TestClient holder = client();
                TestClient other = client()) {
            int[] leases = {300, 1_000, 1_700};
            long sent = System.nanoTime();
            for (int millis : leases) {
                holder.hold("lasts " + millis, Duration.ofMillis(millis));
            }
            for (int millis : leases) {
                Duration lasted = Duration.ofNanos(awaitGrant(other, "lasts " + millis) - sent);
                assertThat(lasted).isBetween(Duration.ofMillis(millis), Duration.ofMillis(millis + 10_000));
            }
        }
    }

    /** Returns the time at which the lock became free. */
    private static long awaitGrant(TestClient client, String name) throws Exception {
        while (!(client.tryAcquire(name, LEASE) instanceof Acquire.Granted)) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return System.nanoTime();
    }

    @Test
    void lease_ofMoreThanAMonth_isKept_andOfMoreThanAYear_isRefused() throws Exception {
        try (TestClient client = client();
                TestClient other = client()) {
            client.hold("long", Duration.ofDays(100));
            assertThat(other.tryAcquire("long", LEASE)).isInstanceOf(Acquire.Held.class);
            assertThatThrownBy(() -> client.tryAcquire("too long", Duration.ofDays(366)))
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreFailure.class))
                    .returns(StoreFailure.Effect.NONE, StoreFailure::effect)
                    .extracting(StoreFailure::getMessage, InstanceOfAssertFactories.STRING)
                    .contains("a year");
        }
    }

    @Test
    void tokens_ofAllNames_growWithEveryGrant_alsoAfterAFlush() throws Exception {
        try (TestClient client = client();
                TestClient other = client()) {
            long last = 0;
            for (int i = 0; i < 20; i++) {
                TestClient.Held held = (i % 2 == 0 ? client : other).hold("lock " + i % 3, LEASE);
                assertThat(held.token()).isGreaterThan(last);
                last = held.token();
                server.command("flush_all");
            }
        }
    }

    @Test
    void names_withOneKey_areToldApart() throws Exception {
        try (TestClient client = client()) {
            Keys keys = new Keys(TestClient.NAMESPACE);
            TestClient.Held held = client.hold("short", LEASE);
            String value = server.command("get " + keys.of("short")).get(1);
            server.command("set " + keys.of(LONG) + " 0 0 " + value.length() + "\r\n" + value);
            assertThatThrownBy(() -> client.tryAcquire(LONG, LEASE))
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreFailure.class))
                    .returns(StoreFailure.Effect.NONE, StoreFailure::effect)
                    .returns(StoreFailure.Reason.UNFIT, StoreFailure::reason)
                    .extracting(StoreFailure::getMessage, InstanceOfAssertFactories.STRING)
                    .contains("\"" + LONG + "\"", "\"short\"", "baton/");
            assertThat(client.release(held)).isTrue();
        }
    }

    @Test
    void somethingElse_underALocksKey_isToldAndLeftAlone() throws Exception {
        try (TestClient client = client()) {
            TestClient.Held held = client.hold("taken", LEASE);
            TestClient.Held other = client.hold("other", LEASE);
            server.command("set ns:taken 0 0 5\r\nhello");
            assertThatThrownBy(() -> client.tryAcquire("taken", LEASE))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("ns:taken")
                    .hasMessageContaining("not Baton's");
            assertThat(client.renew(held, LEASE)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
            assertThat(client.renew(other, LEASE)).isInstanceOf(Heartbeat.Renewed.class);
            assertThat(client.store().list("", "", 10, TestClient.LIMIT.toNanos()))
                    .extracting(view -> view.resource().name())
                    .containsExactly("other");
            assertThat(server.command("get ns:taken")).contains("hello");
        }
    }

    @Test
    void list_ofANamespace_leavesOutAllElse() throws Exception {
        server.command("set foreign 0 0 5\r\nhello");
        server.command("set ns2:lock 0 0 5\r\nhello");
        server.command("set baton/abc 0 0 5\r\nhello");
        try (TestClient client = client()) {
            client.hold(LONG, LEASE);
            client.hold("b", LEASE);
            client.hold("a", LEASE);
            assertThat(client.store().list("", "", 10, TestClient.LIMIT.toNanos()))
                    .extracting(view -> view.resource().name())
                    .containsExactly("a", "b", LONG);
        }
    }

    /** Its key ends like the first word of a refusal. */
    @Test
    void list_ofANameThatEndsLikeAnError_isComplete() throws Exception {
        try (TestClient client = client()) {
            client.hold("IMPORT_ERROR", LEASE);
            assertThat(client.store().list("", "", 10, TestClient.LIMIT.toNanos()))
                    .extracting(view -> view.resource().name())
                    .containsExactly("IMPORT_ERROR");
        }
    }

    /** The server walks for one client at a time, and tells the others that it is busy. */
    @Test
    void list_ofSeveralAtOnce_succeedsForAll() throws Exception {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            many.append("set foreign-").append(i).append(" 0 0 1 noreply\r\nx\r\n");
        }
        server.command(many + "get none");
        try (TestClient client = client()) {
            client.hold("mine", LEASE);
            ExecutorService threads = Executors.newFixedThreadPool(3);
            List<Future<Integer>> lists = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                lists.add(threads.submit(() -> client.store()
                        .list("", "", 10, TestClient.LIMIT.toNanos())
                        .size()));
            }
            for (Future<Integer> list : lists) {
                assertThat(list.get()).isEqualTo(1);
            }
            threads.shutdown();
        }
    }

    @Test
    void forceRelease_doesNotShortenTheItem() throws Exception {
        Duration lease = Duration.ofSeconds(3);
        try (TestClient holder = client();
                TestClient admin = client()) {
            long sent = System.nanoTime();
            TestClient.Held held = holder.hold("forced", lease);
            assertThat(admin.store().forceRelease("forced", held.token(), false, TestClient.LIMIT.toNanos()))
                    .isTrue();
            assertThat(holder.renew(held, lease)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.REVOKED));
            assertThat(Duration.ofNanos(awaitGrant(admin, "forced") - sent)).isGreaterThanOrEqualTo(lease);
        }
    }

    @Test
    void answers_inSingleBytes_areRead() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            try (TestClient client = new TestClient("memcached://" + proxy.host() + ":" + proxy.port())) {
                proxy.dribble(1);
                TestClient.Held held = client.hold("slowly", LEASE);
                assertThat(client.renew(held, LEASE)).isInstanceOf(Heartbeat.Renewed.class);
                assertThat(client.release(held)).isTrue();
            }
        }
    }

    /** A call that is cut short breaks its connection: callers that poll with a short wait would never have one. */
    @Test
    void callsWithLittleTime_keepTheConnection_andCanBeCancelled() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                TestClient client =
                        new TestClient("memcached://" + proxy.host() + ":" + proxy.port() + "/?connections=1")) {
            int calls = 0;
            for (int cut = 0; cut < 10; calls++) {
                assertThat(calls).as("calls for %s that were cut short", cut).isLessThan(100);
                cut += cutsOneShort(client, proxy) ? 1 : 0;
            }
        }
    }

    /**
     * Returns whether a call was cut short, and left the connection. A busy machine may not send it in its two milliseconds,
     * or not see its answer in the 250 milliseconds that it goes on.
     */
    private static boolean cutsOneShort(TestClient client, TcpProxy proxy) throws Exception {
        proxy.forward();
        client.hold("connected " + client.number().value(), LEASE);
        proxy.delay(FAR.dividedBy(2));
        proxy.refuse();
        try (JvmHiccups hiccups = new JvmHiccups()) {
            Acquire polled = client.asking("polled for", LEASE);
            Deadline asked = Deadline.in(0);
            StoreFailure failed = catchThrowableOfType(
                    StoreFailure.class, () -> client.store().acquire(polled, TimeUnit.MILLISECONDS.toNanos(2)));
            assertThat(failed != null || -asked.leftNanos() >= FAR.toNanos())
                    .as("ended before an answer could come")
                    .isTrue();
            StoreFailure broken = catchThrowableOfType(StoreFailure.class, () -> {
                client.cancel(polled);
                assertThat(client.release(client.hold("polled for", LEASE))).isTrue();
            });
            if (broken == null) {
                return failed != null && failed.effect() == StoreFailure.Effect.UNKNOWN;
            }
            // It reads the server's clock first, if the last reading is old.
            assertThat(hiccups.fair(FAR.multipliedBy(4), 4))
                    .as("a pause that explains %s", broken)
                    .isGreaterThan(Duration.ofMillis(250));
            proxy.forward();
            client.cancel(polled);
            client.release(client.hold("polled for", LEASE));
            return false;
        }
    }

    @Test
    void connections_areNoMoreThanTheAddressSays() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                TestClient client =
                        new TestClient("memcached://" + proxy.host() + ":" + proxy.port() + "/?connections=2")) {
            assertThat(proxy.connections()).as("one thread alone").isEqualTo(1);
            proxy.delay(Duration.ofMillis(5));
            ExecutorService threads = Executors.newFixedThreadPool(8);
            CountDownLatch done = new CountDownLatch(8);
            for (int i = 0; i < 8; i++) {
                String name = "lock " + i;
                threads.execute(() -> {
                    try {
                        client.release(client.hold(name, LEASE));
                        done.countDown();
                    } catch (StoreFailure e) {
                        throw new AssertionError(e);
                    }
                });
            }
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            threads.shutdown();
            assertThat(proxy.connections()).isEqualTo(2);
        }
    }

    @Test
    void namespace_withOtherTimings_isRefused() throws Exception {
        client().close();
        assertThatThrownBy(() -> new TestClient(server.uri(), Timings.withGrace(Duration.ofSeconds(7))))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("namespace \"ns\"")
                .hasMessageContaining("grace=PT1M");
        server.command("set ns 0 0 5\r\nhello");
        assertThatThrownBy(this::client)
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("the item ns of namespace");
    }

    @Test
    void server_thatMayEvict_isWarnedOf() throws Exception {
        try (TestClient client = client()) {
            assertThat(client.store().warnings()).singleElement().asString().contains("evicts", "-M");
            assertThat(client.store().facts(TestClient.LIMIT.toNanos()))
                    .containsEntry("evicts when full", "yes")
                    .containsKeys("version", "up for", "memory", "evicted so far");
        }
        try (MemcachedServer strict = MemcachedServer.start("-M");
                TestClient client = new TestClient(strict.uri())) {
            assertThat(client.store().warnings()).isEmpty();
        }
    }

    @Test
    void server_thatCountsNoVersions_isRefused() {
        try (MemcachedServer without = MemcachedServer.start("-C")) {
            assertThatThrownBy(() -> new TestClient(without.uri()))
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreFailure.class))
                    .returns(StoreFailure.Reason.UNFIT, StoreFailure::reason)
                    .extracting(StoreFailure::getMessage, InstanceOfAssertFactories.STRING)
                    .contains("without -C");
        }
    }
}
