package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.history.FencedMutexChecker;
import dev.baton.tck.history.HoldRecord;
import dev.baton.tck.history.Recorder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The statements that database servers receive, and the effects that servers and pools may have on a client. */
class ServerStoreTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final Resource LOCK = Resource.lock("lock");

    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri(), H2Server.newUri());
    }

    private static JdbcClient client(String uri, CountingConnection counting) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri)) {
            assertThat(emptied.uri()).isEqualTo(uri);
        }
        JdbcClient client = new JdbcClient(new JdbcStoreProvider(counting::around), uri, "a");
        client.release(client.hold(Resource.lock("warm up")));
        client.store().facts(JdbcClient.TIMEOUT_NANOS);
        counting.clear();
        return client;
    }

    // ---- statements ----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P27: uncontendedPair_ofNewOrKnownName_takesTwoStatements")
    void uncontendedPair_ofNewOrKnownName_takesTwoStatements(String uri) throws Exception {
        CountingConnection counting = new CountingConnection();
        try (JdbcClient client = client(uri, counting)) {
            for (int i = 0; i < 3; i++) {
                List<String> pair = statements(counting, 2, () -> {
                    assertThat(client.release(client.hold(LOCK))).isTrue();
                    // The clock part of a token advances faster than this.
                    Thread.sleep(1);
                    return true;
                });
                assertThat(pair).hasSize(2);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P27: heartbeat_ofManyHoldsAndTickets_takesOneStatementForEachKind")
    void heartbeat_ofManyHoldsAndTickets_takesOneStatementForEachKind(String uri) throws Exception {
        CountingConnection counting = new CountingConnection();
        try (JdbcClient client = client(uri, counting)) {
            List<Heartbeat.Hold> holds = new ArrayList<>();
            List<Heartbeat.Ticket> tickets = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Release held = client.hold(Resource.lock("name " + i));
                holds.add(new Heartbeat.Hold(
                        held.resource(), held.attempt(), held.token(), 1, 60_000_000, 0, true, "test"));
            }
            for (int i = 0; i < 20; i++) {
                Resource contended = Resource.lock("contended " + i);
                client.hold(contended);
                long attempt = client.next();
                client.acquire(contended, attempt, Acquire.Mode.QUEUE);
                tickets.add(new Heartbeat.Ticket(contended, attempt));
            }
            List<String> renewing = statements(
                    counting,
                    1,
                    () -> assertThat(client.heartbeat(holds, List.of()).holds())
                            .hasSize(200)
                            .hasOnlyElementsOfType(Heartbeat.Renewed.class));
            assertThat(renewing).hasSize(1).allMatch(sql -> sql.contains("UPDATE baton_lease"));
            List<String> polling = statements(
                    counting,
                    1,
                    () -> assertThat(client.heartbeat(List.of(), tickets).tickets())
                            .hasSize(20)
                            .hasOnlyElementsOfType(Heartbeat.Waiting.class));
            assertThat(polling).hasSize(1).allMatch(sql -> sql.startsWith("SELECT"));
        }
    }

    /**
     * A sweep falls due once a second, and follows the command that notices it: then the next command counts. On a
     * machine that stalls, a sweep may be due again by then.
     */
    private static List<String> statements(CountingConnection counting, int expected, Callable<?> command)
            throws Exception {
        List<String> executed = List.of();
        for (int i = 0; i < 10 && executed.size() != expected; i++) {
            counting.clear();
            command.call();
            executed = List.copyOf(counting.executed());
        }
        return executed;
    }

    @Test
    @DisplayName("P27: uncontendedPairs_byPostgresqlsOwnStatistics_areTwoTransactionsEach")
    void uncontendedPairs_byPostgresqlsOwnStatistics_areTwoTransactionsEach() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                JdbcClient client = client(server.uri(), new CountingConnection());
                Connection other = DriverManager.getConnection(server.uri())) {
            int pairs = 200;
            long before = commits(other);
            for (int i = 0; i < pairs; i++) {
                client.release(client.hold(LOCK));
            }
            client.store().facts(JdbcClient.TIMEOUT_NANOS);
            Thread.sleep(1_500);
            client.store().facts(JdbcClient.TIMEOUT_NANOS);
            // Beside the pairs: reading the facts, the statistics, and one sweep.
            assertThat(commits(other) - before).isBetween(2L * pairs, 2L * pairs + 40);
        }
    }

    private static long commits(Connection connection) throws Exception {
        Thread.sleep(1_100);
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT sum(xact_commit) FROM pg_stat_database")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    // ---- pools ---------------------------------------------------------------------------------------------------

    private static HikariDataSource pool(String uri, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(uri);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    private static String bare(String uri) {
        return uri.substring(0, uri.indexOf(':', "jdbc:".length()) + 1);
    }

    private static BatonOptions.Builder through(HikariDataSource pool) {
        return BatonOptions.builder()
                .namespace("pools")
                .driverObject(pool)
                .connectTimeout(Duration.ofSeconds(20))
                .storeTimeout(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void threads_inHundredsOnAPoolOfOne_allGetTheirTurn(String uri) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (HikariDataSource pool = pool(uri, 1);
                Baton one = Baton.connect(bare(uri), through(pool).build());
                Baton two = Baton.connect(
                        uri,
                        BatonOptions.builder()
                                .namespace("pools")
                                .connectTimeout(Duration.ofSeconds(10))
                                .build())) {
            AtomicInteger plain = new AtomicInteger();
            List<Future<?>> running = new ArrayList<>();
            CountDownLatch all = new CountDownLatch(1_000);
            for (int i = 0; i < 1_000; i++) {
                Baton baton = i % 2 == 0 ? one : two;
                String name = "name " + i % 20;
                running.add(threads.submit(() -> {
                    all.countDown();
                    all.await();
                    try (Lease lease = baton.lock(name).acquire()) {
                        plain.addAndGet(lease.isHeld() ? 1 : 0);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
            assertThat(plain).hasValue(1_000);
            // A heartbeat may have it at this moment, but no caller keeps it.
            try (Connection returned = pool.getConnection()) {
                assertThat(returned.isClosed()).isFalse();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P22: pool_thatIsExhausted_isReportedWithinTheCallersTime")
    void pool_thatIsExhausted_isReportedWithinTheCallersTime(String uri) throws Exception {
        try (JvmHiccups hiccups = new JvmHiccups();
                HikariDataSource pool = pool(uri, 1);
                Baton baton = Baton.connect(
                        bare(uri),
                        through(pool).storeTimeout(Duration.ofSeconds(2)).build())) {
            try (Lease lease = baton.lock("before").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
            try (Connection taken = pool.getConnection()) {
                assertThat(taken.isClosed()).isFalse();
                long start = System.nanoTime();
                assertThatThrownBy(() -> baton.lock("x").tryAcquire())
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("pool");
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isLessThan(hiccups.fair(Duration.ofSeconds(5), 3));
            }
            try (Lease lease = baton.lock("x").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    // ---- addresses -----------------------------------------------------------------------------------------------

    @Test
    void tables_inAnotherSchemaWithAnotherPrefix_areApart() throws Exception {
        String uri = PostgresServer.shared().uri();
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS app");
            try (JdbcClient usual = client(uri, new CountingConnection());
                    JdbcClient other = new JdbcClient(new JdbcStoreProvider(), uri + "&baton.tables=app.locks_", "b")) {
                usual.hold(LOCK);
                other.hold(LOCK);
                try (var rows = statement.executeQuery("SELECT count(*) FROM app.locks_lease")) {
                    rows.next();
                    assertThat(rows.getInt(1)).isOne();
                }
            }
            statement.execute("DROP SCHEMA app CASCADE");
        }
    }

    @Test
    void prefixOfTables_thatIsNoName_isRefused() {
        assertThatThrownBy(() -> Baton.connect("jdbc:postgresql://127.0.0.1:1/x?baton.tables=a-b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("baton.tables=a");
    }

    @Test
    @DisplayName("P22: closedPort_isReportedWithoutSecrets")
    void closedPort_isReportedWithoutSecrets() {
        StoreException failure = catchThrowableOfType(
                StoreException.class, () -> Baton.connect("jdbc:postgresql://127.0.0.1:1/x?user=u&password=geheim"));
        assertThat(failure).hasMessageContaining("127.0.0.1:1").hasMessageNotContaining("geheim");
        assertThat(failure.reason()).isEqualTo(StoreException.Reason.UNREACHABLE);
    }

    @Test
    @DisplayName("P22: readOnlyDatabase_isRefusedWithAdvice")
    void readOnlyDatabase_isRefusedWithAdvice() {
        String uri = PostgresServer.shared().uri() + "&options=-c%20default_transaction_read_only=on";
        StoreFailure failure = catchThrowableOfType(
                StoreFailure.class,
                () -> new JdbcStoreProvider()
                        .open(JdbcClient.config(uri + "&baton.tables=nowhere_", "a", Timings.DEFAULTS)));
        assertThat(failure).hasMessageContaining("read-only").hasMessageContaining("primary");
    }

    // ---- failures ------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P15, P22: silentServer_costsCallersTheirTime_andNoMore")
    void silentServer_costsCallersTheirTime_andNoMore() throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (JvmHiccups hiccups = new JvmHiccups();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                JdbcClient client = client(
                        server.uri().replace(":" + server.port(), ":" + proxy.port()), new CountingConnection())) {
            client.release(client.hold(LOCK));
            proxy.blackHole();
            long start = System.nanoTime();
            StoreFailure failure = catchThrowableOfType(
                    StoreFailure.class, () -> client.acquire(LOCK, client.next(), Acquire.Mode.TRY, 1_500_000_000));
            assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN);
            failure = catchThrowableOfType(
                    StoreFailure.class, () -> client.acquire(LOCK, client.next(), Acquire.Mode.TRY, 1_500_000_000));
            assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE);
            assertThat(failure).hasMessageContaining("in time");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(2_900), hiccups.fair(Duration.ofSeconds(4), 3));
            proxy.cut();
            proxy.forward();
            // The connection that was being opened was cut as well, and the next call may report that.
            failure = catchThrowableOfType(StoreFailure.class, () -> client.hold(Resource.lock("another")));
            assertThat(failure == null || failure.effect() == StoreFailure.Effect.NONE)
                    .isTrue();
            client.hold(Resource.lock("one more"));
        }
    }

    @Test
    @DisplayName("P22: postgresql_killedAndRestartedUnderLoad_isUsedAgain_andTokensGrow")
    void postgresql_killedAndRestartedUnderLoad_isUsedAgain_andTokensGrow() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        BatonOptions options =
                BatonOptions.builder().connectTimeout(Duration.ofSeconds(20)).build();
        try (PostgresServer server = PostgresServer.start();
                Baton one = Baton.connect(server.uri(), options);
                Baton two = Baton.connect(server.uri(), options)) {
            AtomicInteger leases = new AtomicInteger();
            AtomicInteger failures = new AtomicInteger();
            long[] newest = new long[1];
            CountDownLatch end = new CountDownLatch(1);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Baton baton = i % 2 == 0 ? one : two;
                running.add(threads.submit(() -> {
                    while (end.getCount() > 0) {
                        try (Lease lease = baton.lock("hot")
                                .tryAcquire(Duration.ofSeconds(20))
                                .orElseThrow()) {
                            assertThat(lease.token()).isGreaterThan(newest[0]);
                            newest[0] = lease.token();
                            leases.incrementAndGet();
                        } catch (StoreException away) {
                            failures.incrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            Thread.sleep(1_000);
            server.kill();
            Thread.sleep(1_000);
            server.restart();
            int before = leases.get();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (leases.get() < before + 200 && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
            end.countDown();
            for (Future<?> each : running) {
                each.get(40, TimeUnit.SECONDS);
            }
            assertThat(leases.get()).as("with %s failures", failures).isGreaterThanOrEqualTo(before + 200);
        } finally {
            threads.shutdownNow();
        }
    }

    /** As through a pooler that pools transactions: LISTEN succeeds, and has no effect. */
    private static JdbcClient deafClient() throws Exception {
        CountingConnection deaf = new CountingConnection();
        deaf.swallow(sql -> sql.startsWith("LISTEN"));
        return client(PostgresServer.shared().uri(), deaf);
    }

    @Test
    void postgresql_killed_remembersAllThatItAnswered() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (PostgresServer server = PostgresServer.start();
                JdbcClient before = client(server.uri(), new CountingConnection())) {
            CountDownLatch first = new CountDownLatch(1);
            Future<?> killed = threads.submit(() -> {
                first.await();
                Thread.sleep(500);
                server.kill();
                return null;
            });
            List<Heartbeat.Hold> answered = new ArrayList<>();
            assertThatThrownBy(() -> {
                        while (true) {
                            Release held = before.hold(Resource.lock("name " + answered.size()));
                            answered.add(new Heartbeat.Hold(
                                    held.resource(), held.attempt(), held.token(), 1, 60_000_000, 0, true, "test"));
                            first.countDown();
                        }
                    })
                    .isInstanceOf(StoreFailure.class);
            killed.get(40, TimeUnit.SECONDS);
            server.restart();
            List<Heartbeat.Hold> last = answered.subList(Math.max(0, answered.size() - 200), answered.size());
            try (JdbcClient after = new JdbcClient(new JdbcStoreProvider(), server.uri(), "a")) {
                assertThat(after.heartbeat(last, List.of()).holds())
                        .isNotEmpty()
                        .hasOnlyElementsOfType(Heartbeat.Renewed.class);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("P31: listen_thatIsDeaf_isReplacedByAsking")
    void listen_thatIsDeaf_isReplacedByAsking() throws Exception {
        try (JdbcClient client = deafClient()) {
            Release held = client.hold(LOCK);
            long attempt = client.next();
            assertThat(client.acquire(LOCK, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            assertThat(client.store().capabilities().push()).isFalse();
            client.release(held);
            assertThat(client.poll(LOCK, attempt)).isInstanceOf(Heartbeat.TicketGranted.class);
        }
    }

    @Test
    @DisplayName("P15, P31: firstWait_whereListenIsDeaf_isAnsweredInTheCallersTime")
    void firstWait_whereListenIsDeaf_isAnsweredInTheCallersTime() throws Exception {
        try (JdbcClient client = deafClient()) {
            client.hold(LOCK);
            assertThat(client.acquire(LOCK, client.next(), Acquire.Mode.QUEUE, 4_000_000_000L))
                    .isInstanceOf(Acquire.Queued.class);
        }
    }

    // ---- many clients --------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P30: clients_inDozensOnOneNameAndOnMany_seeNoExceptionAndCountExactly")
    void clients_inDozensOnOneNameAndOnMany_seeNoExceptionAndCountExactly(String uri) throws Exception {
        int clients = NIGHTLY ? 64 : 12;
        for (int names : new int[] {1, clients}) {
            List<HoldRecord>[] histories = fight(uri, clients, names, Duration.ofSeconds(NIGHTLY ? 60 : 2));
            for (List<HoldRecord> history : histories) {
                assertThat(FencedMutexChecker.check(history)).isEmpty();
                assertThat(history).isNotEmpty();
            }
        }
    }

    /** Each client asks for one name after the other; returns the records of each name. */
    private static List<HoldRecord>[] fight(String uri, int clients, int names, Duration length) throws Exception {
        Recorder[] recorders = Stream.generate(Recorder::new).limit(names).toArray(Recorder[]::new);
        int[] plain = new int[names];
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        List<Baton> batons = new ArrayList<>();
        try {
            BatonOptions options = BatonOptions.builder()
                    .namespace("dozens")
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();
            long end = System.nanoTime() + length.toNanos();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                Baton baton = Baton.connect(uri, options);
                batons.add(baton);
                int client = i;
                running.add(threads.submit(() -> {
                    for (int at = client; System.nanoTime() < end; at++) {
                        int name = at % names;
                        recorders[name].hold("client " + client, baton.lock("name " + name), lease -> plain[name]++);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(5, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
            batons.forEach(Baton::close);
        }
        @SuppressWarnings({"unchecked", "rawtypes"})
        List<HoldRecord>[] histories =
                Stream.of(recorders).map(Recorder::history).toArray(List[]::new);
        for (int name = 0; name < names; name++) {
            assertThat(plain[name]).as("a plain int under the lock").isEqualTo(histories[name].size());
        }
        return histories;
    }

    // ---- hand-over -----------------------------------------------------------------------------------------------

    /**
     * Compared with plain queries, which show the machine's present speed: a hand-over takes about four of them. After so
     * short a wait a poll would be as fast as a push. That a release pushes is the store contract's test.
     */
    @Tag("serial")
    @ParameterizedTest
    @MethodSource("servers")
    void handOver_betweenClients_takesAPollAtMost(String uri) throws Exception {
        List<Long> times = new ArrayList<>();
        List<Long> questions = new ArrayList<>();
        BatonOptions options = BatonOptions.builder().namespace("handover").build();
        try (Baton one = Baton.connect(uri, options);
                Baton two = Baton.connect(uri, options);
                Connection other = DriverManager.getConnection(uri)) {
            long[] released = new long[1];
            List<Thread> both = Stream.of(one, two)
                    .map(baton -> new Thread(() -> alternate(baton, released, times)))
                    .toList();
            both.forEach(Thread::start);
            while (both.stream().anyMatch(Thread::isAlive)) {
                questions.add(ask(other));
                Thread.sleep(2);
            }
        }
        Duration median = median(times);
        Duration question = median(questions);
        System.out.println(uri + ": median hand-over " + median + ", beside questions of " + question);
        assertThat(median).isLessThan(Duration.ofMillis(50).plus(question.multipliedBy(4)));
    }

    private static long ask(Connection connection) throws Exception {
        long start = System.nanoTime();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        }
        return System.nanoTime() - start;
    }

    private static Duration median(List<Long> nanos) {
        return Duration.ofNanos(nanos.stream().sorted().toList().get(nanos.size() / 2));
    }

    private static void alternate(Baton baton, long[] released, List<Long> times) {
        for (int i = 0; i < 100; i++) {
            try (Lease lease = baton.lock("x").acquire()) {
                if (released[0] != 0 && lease.isHeld()) {
                    times.add(System.nanoTime() - released[0]);
                }
                Thread.sleep(2);
                released[0] = System.nanoTime();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
