package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.StaleTokenException;
import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fence in the user's own transaction. */
class FenceTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final Duration LEASE = Duration.ofMillis(150);

    /** Longer than the lease, and longer than the waiter's next heartbeat. */
    private static final Duration STOP = LEASE.plusMillis(1_200);

    @TempDir
    private static Path directory;

    static Stream<String> databases() {
        return Stream.concat(Stream.of("jdbc:sqlite:" + directory.resolve("data.db")), servers());
    }

    /** Servers on which several transactions write at the same time. */
    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri(), H2Server.newUri());
    }

    private static Connection transaction(String uri) throws SQLException {
        Connection connection = DriverManager.getConnection(uri);
        connection.setAutoCommit(false);
        if (uri.startsWith("jdbc:h2:")) {
            // It gives up after two seconds, which is hardly longer than a holder stops.
            execute(connection, "SET LOCK_TIMEOUT 20000");
        }
        return connection;
    }

    private static BatonOptions options(String namespace) {
        return BatonOptions.builder()
                .namespace(namespace)
                .connectTimeout(Duration.ofSeconds(20))
                .build();
    }

    private static void prepare(String uri) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri)) {
            Fence.createTable(connection);
            execute(connection, "DELETE FROM baton_fence");
            execute(connection, "DROP TABLE IF EXISTS fence_test");
            execute(
                    connection,
                    "CREATE TABLE fence_test (id INT PRIMARY KEY, units INT NOT NULL, token BIGINT NOT NULL)");
        }
    }

    private static int execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void olderToken_afterANewerOne_isRefused(String uri) throws Exception {
        prepare(uri);
        try (Connection connection = transaction(uri)) {
            Fence.raise(connection, "baton_", "x", 5);
            Fence.raise(connection, "baton_", "x", 5);
            connection.commit();
            Fence.raise(connection, "baton_", "x", 7);
            Fence.raise(connection, "baton_", "y", 1);
            connection.commit();
            assertThatThrownBy(() -> Fence.raise(connection, "baton_", "x", 6))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("\"x\"")
                    .hasMessageContaining("6");
            connection.rollback();
            Fence.raise(connection, "baton_", "x", 8);
            connection.rollback();
            Fence.raise(connection, "baton_", "x", 7);
            connection.commit();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void connection_inAutocommitMode_isRefused(String uri) throws Exception {
        prepare(uri);
        try (Connection connection = DriverManager.getConnection(uri)) {
            assertThatThrownBy(() -> Fence.raise(connection, "baton_", "x", 5))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void leaseThatIsShared_isRefused_andTheWritersIsNot(String uri) throws Exception {
        prepare(uri);
        BatonOptions options = options("fence");
        try (Connection connection = transaction(uri);
                Baton client = Baton.connect(uri, options)) {
            DistributedReadWriteLock lock = client.readWriteLock("page");
            try (Lease reader = lock.read().acquire()) {
                assertThatThrownBy(() -> Fence.raise(connection, reader))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("\"page\"")
                        .hasMessageContaining("orders no writes");
            }
            try (Lease writer = lock.write().acquire()) {
                Fence.raise(connection, writer);
                connection.commit();
            }
        }
    }

    // ---- stopped holders -----------------------------------------------------------------------------------------

    /** Holders of one lock on one row; each adds one to it in a transaction of its own. */
    private final class Row {
        final String uri;
        final int id;
        final List<Baton> clients;
        final SplittableRandom random;
        final AtomicInteger committed = new AtomicInteger();
        final AtomicInteger refused = new AtomicInteger();
        final ConcurrentLinkedQueue<Throwable> surprises = new ConcurrentLinkedQueue<>();

        Row(String uri, int id, List<Baton> clients) {
            this.uri = uri;
            this.id = id;
            this.clients = clients;
            this.random = new SplittableRandom(id);
        }

        /** One holder stops at a random point for longer than its lease, and another one comes. Both go on. */
        void round(ExecutorService threads) throws Exception {
            boolean lockOutside = random.nextBoolean();
            boolean sameClient = random.nextInt(4) == 0;
            int stopAt = random.nextInt(3);
            Baton one = clients.get(0);
            Baton two = clients.get(sameClient ? 0 : 1);
            Future<?> stopped = threads.submit(() -> holder(one, lockOutside, stopAt));
            Thread.sleep(random.nextInt(20));
            Future<?> other = threads.submit(() -> holder(two, lockOutside, -1));
            stopped.get(30, TimeUnit.SECONDS);
            other.get(30, TimeUnit.SECONDS);
        }

        private void holder(Baton client, boolean lockOutside, int stopAt) {
            try {
                if (lockOutside) {
                    try (Lease lease = lease(client)) {
                        try (Connection connection = transaction(uri)) {
                            work(connection, lease, stopAt);
                        }
                    }
                } else {
                    try (Connection connection = transaction(uri);
                            Lease lease = lease(client)) {
                        work(connection, lease, stopAt);
                    }
                }
            } catch (StaleTokenException stale) {
                refused.incrementAndGet();
            } catch (SQLException | InterruptedException | RuntimeException surprise) {
                surprises.add(surprise);
            }
        }

        private Lease lease(Baton client) throws InterruptedException {
            return client.lock("row-" + id, LockOptions.defaults().withLeaseTime(LEASE))
                    .tryAcquire(Duration.ofSeconds(20))
                    .orElseThrow();
        }

        private void work(Connection connection, Lease lease, int stopAt) throws SQLException, InterruptedException {
            stopIf(stopAt == 0);
            try {
                Fence.raise(connection, lease);
                stopIf(stopAt == 1);
                long units = number(connection, "SELECT units FROM fence_test WHERE id = " + id);
                long token = number(connection, "SELECT token FROM fence_test WHERE id = " + id);
                assertThat(token).as("commits are in the order of tokens").isLessThan(lease.token());
                stopIf(stopAt == 2);
                execute(
                        connection,
                        "UPDATE fence_test SET units = " + (units + 1) + ", token = " + lease.token() + " WHERE id = "
                                + id);
                connection.commit();
                committed.incrementAndGet();
            } catch (StaleTokenException stale) {
                connection.rollback();
                throw stale;
            }
        }

        private void stopIf(boolean here) throws InterruptedException {
            if (here) {
                Thread.sleep(STOP.toMillis());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P12: holders_stoppedPastTheirLease_commitInTheOrderOfTheirTokens")
    void holders_stoppedPastTheirLease_commitInTheOrderOfTheirTokens(String uri) throws Exception {
        int rows = 6;
        int rounds = NIGHTLY ? 1_000 / rows + 1 : 4;
        prepare(uri);
        ExecutorService threads = Executors.newCachedThreadPool();
        BatonOptions options = options("fence");
        try (Baton one = Baton.connect(uri, options);
                Baton two = Baton.connect(uri, options)) {
            List<Row> all = new ArrayList<>();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                try (Connection connection = DriverManager.getConnection(uri)) {
                    execute(connection, "INSERT INTO fence_test VALUES (" + i + ", 0, 0)");
                }
                Row row = new Row(uri, i, List.of(one, two));
                all.add(row);
                running.add(threads.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        row.round(threads);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(20, TimeUnit.MINUTES);
            }
            int refused = 0;
            for (Row row : all) {
                assertThat(row.surprises).isEmpty();
                try (Connection connection = DriverManager.getConnection(uri)) {
                    assertThat(number(connection, "SELECT units FROM fence_test WHERE id = " + row.id))
                            .as("lost updates")
                            .isEqualTo(row.committed.get());
                }
                assertThat(row.committed.get() + row.refused.get()).isEqualTo(2 * rounds);
                refused += row.refused.get();
            }
            assertThat(refused).as("the stop was long enough to matter").isPositive();
        } finally {
            threads.shutdownNow();
        }
    }

    // ---- a sale --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P12: buyers_tenForEachUnit_getEachUnitOnce")
    void buyers_tenForEachUnit_getEachUnitOnce(String uri) throws Exception {
        prepare(uri);
        ExecutorService threads = Executors.newFixedThreadPool(40);
        BatonOptions options = options("sale");
        try (Baton one = Baton.connect(uri, options);
                Baton two = Baton.connect(uri, options);
                Connection connection = DriverManager.getConnection(uri)) {
            int units = NIGHTLY ? 100 : 25;
            execute(connection, "INSERT INTO fence_test VALUES (1, " + units + ", 0)");
            List<Future<Boolean>> buyers = new ArrayList<>();
            for (int i = 0; i < 10 * units; i++) {
                Baton baton = i % 2 == 0 ? one : two;
                buyers.add(threads.submit(() -> buy(uri, baton)));
            }
            int sold = 0;
            for (Future<Boolean> each : buyers) {
                sold += each.get(2, TimeUnit.MINUTES) ? 1 : 0;
            }
            assertThat(sold).isEqualTo(units);
            assertThat(number(connection, "SELECT units FROM fence_test WHERE id = 1"))
                    .isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean buy(String uri, Baton baton) throws SQLException, InterruptedException {
        try (Connection connection = transaction(uri);
                Lease lease = baton.lock("sale").acquire()) {
            Fence.raise(connection, lease);
            long units = number(connection, "SELECT units FROM fence_test WHERE id = 1");
            if (units > 0) {
                execute(connection, "UPDATE fence_test SET units = " + (units - 1) + " WHERE id = 1");
            }
            connection.commit();
            return units > 0;
        }
    }
}
