package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Acquire;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first client creates the tables; if it is interrupted, or not alone, the tables still end up complete. */
class FirstConnectTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final List<String> TABLES =
            List.of("descriptor", "bucket", "lease", "ticket", "cancelled", "fence", "note");
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    @TempDir
    private static Path directory;

    static Stream<String> databases() {
        return Stream.concat(
                Stream.of("jdbc:sqlite:" + directory.resolve("locks" + PREFIXES.incrementAndGet() + ".db")),
                Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri(), H2Server.newUri()));
    }

    /** How a connection ends. */
    private enum Cut {
        BEFORE_THE_STATEMENT,
        IN_ITS_ANSWER,
        AFTER_IT_WITHOUT_ANSWER
    }

    private static String withTables(String uri, String prefix) {
        boolean options = !uri.startsWith("jdbc:sqlite:");
        return options ? uri + (uri.startsWith("jdbc:h2:") ? ";" : "&") + "baton.tables=" + prefix : uri;
    }

    private static List<String> tables(Connection connection, String prefix) throws SQLException {
        List<String> there = new ArrayList<>();
        for (String table : TABLES) {
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery("SELECT 1 FROM " + prefix + table).close();
                there.add(table);
            } catch (SQLException missing) {
                // The table does not exist.
            }
        }
        return there;
    }

    private static void drop(Connection connection, String prefix) throws SQLException {
        for (String table : TABLES) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE IF EXISTS " + prefix + table);
            }
        }
    }

    private static void assertWorks(String uri) throws Exception {
        try (JdbcClient client = new JdbcClient(new JdbcStoreProvider(), uri, "next")) {
            Resource lock = Resource.lock("lock " + PREFIXES.incrementAndGet());
            Release held = client.hold(lock);
            assertThat(client.acquire(lock, client.next(), Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            assertThat(client.release(held)).isTrue();
        }
    }

    @Test
    void postgresql_cutAnywhereInTheFirstConnect_hasAllTablesOrNone_andTheNextClientHasAll() throws Exception {
        int moments = 0;
        for (Cut cut : Cut.values()) {
            moments += cutEverywhere(PostgresServer.shared().uri(), cut, true);
        }
        System.out.println("PostgreSQL: " + moments + " moments");
        assertThat(moments).isGreaterThanOrEqualTo(NIGHTLY ? 50 : 15);
    }

    @Test
    void mariadb_cutAnywhereInTheFirstConnect_hasAllTablesForTheNextClient() throws Exception {
        int moments = cutEverywhere(MariaServer.shared().uri(), Cut.AFTER_IT_WITHOUT_ANSWER, false);
        System.out.println("MariaDB: " + moments + " moments");
        assertThat(moments).isGreaterThanOrEqualTo(NIGHTLY ? 12 : 4);
    }

    /** Cuts at one statement after the other, until a client needs no more statements. */
    private static int cutEverywhere(String uri, Cut cut, boolean allOrNone) throws Exception {
        int port = URI.create(uri.substring("jdbc:".length())).getPort();
        ExecutorService later = Executors.newSingleThreadExecutor();
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", port);
                Connection other = DriverManager.getConnection(uri)) {
            String through = uri.replace(":" + port, ":" + proxy.port());
            for (int ledger = 1, cuts = 0; ; ledger += NIGHTLY ? 1 : 3, cuts++) {
                String prefix = "cut" + PREFIXES.incrementAndGet() + "_";
                boolean finished = connects(withTables(through, prefix), ledger, cut, proxy, later);
                if (allOrNone) {
                    assertThat(tables(other, prefix))
                            .hasSizeBetween(0, TABLES.size())
                            .satisfiesAnyOf(
                                    there -> assertThat(there).isEmpty(),
                                    there -> assertThat(there).hasSize(TABLES.size()));
                }
                assertWorks(withTables(uri, prefix));
                assertThat(tables(other, prefix))
                        .as("after a cut at statement %s", ledger)
                        .isEqualTo(TABLES);
                drop(other, prefix);
                if (finished) {
                    return cuts;
                }
            }
        } finally {
            later.shutdownNow();
        }
    }

    private static boolean connects(String uri, int ledger, Cut cut, TcpProxy proxy, Executor later) throws Exception {
        CountingConnection watched = new CountingConnection();
        List<CompletableFuture<Void>> cuts = new ArrayList<>();
        watched.before(sql -> {
            if (watched.executed().size() == ledger) {
                cuts.add(cut(cut, proxy, later));
            }
        });
        boolean finished = false;
        try (JdbcClient client = new JdbcClient(new JdbcStoreProvider(watched::around), uri, "first")) {
            finished = cuts.isEmpty() && client.next() > 0;
        } catch (StoreFailure expected) {
            assertThat(cuts).as("failed by itself: %s", expected).isNotEmpty();
        }
        for (CompletableFuture<Void> each : cuts) {
            each.get(20, TimeUnit.SECONDS);
        }
        proxy.forward();
        return finished;
    }

    private static CompletableFuture<Void> cut(Cut cut, TcpProxy proxy, Executor later) {
        switch (cut) {
            case BEFORE_THE_STATEMENT -> {
                proxy.cut();
                return CompletableFuture.completedFuture(null);
            }
            case IN_ITS_ANSWER -> proxy.dribble(1);
            case AFTER_IT_WITHOUT_ANSWER -> proxy.holdReplies();
        }
        return CompletableFuture.runAsync(
                proxy::cut, CompletableFuture.delayedExecutor(15, TimeUnit.MILLISECONDS, later));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void tables_ofWhichOneIsMissing_areMadeWhole(String uri) throws Exception {
        String prefix = uri.startsWith("jdbc:sqlite:") ? "baton_" : "half_";
        for (String missing : TABLES) {
            assertWorks(withTables(uri, prefix));
            try (Connection other = DriverManager.getConnection(uri)) {
                try (Statement statement = other.createStatement()) {
                    statement.execute("DROP TABLE " + prefix + missing);
                }
                assertWorks(withTables(uri, prefix));
                assertThat(tables(other, prefix)).isEqualTo(TABLES);
            }
        }
        try (Connection other = DriverManager.getConnection(uri)) {
            drop(other, prefix);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void fourClients_atOnceOnANewDatabase_allConnect(String uri) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Connection other = DriverManager.getConnection(uri)) {
            for (int round = 0; round < 5; round++) {
                String prefix = uri.startsWith("jdbc:sqlite:") ? "baton_" : "four" + PREFIXES.incrementAndGet() + "_";
                CyclicBarrier all = new CyclicBarrier(4);
                List<Future<?>> clients = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    String id = "client " + i;
                    clients.add(threads.submit(() -> {
                        all.await(20, TimeUnit.SECONDS);
                        try (JdbcClient client = new JdbcClient(new JdbcStoreProvider(), withTables(uri, prefix), id)) {
                            return client.release(client.hold(Resource.lock(id)));
                        }
                    }));
                }
                for (Future<?> each : clients) {
                    assertThat(each.get(30, TimeUnit.SECONDS)).isEqualTo(true);
                }
                assertThat(tables(other, prefix)).isEqualTo(TABLES);
                drop(other, prefix);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
