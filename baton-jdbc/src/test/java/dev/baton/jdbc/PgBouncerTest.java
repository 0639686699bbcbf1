package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.servers.PgBouncer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.spi.Timings;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Part of {@code -Pservers}. Behind PgBouncer, which gives each transaction any free session. */
class PgBouncerTest {
    private static final Resource LOCK = Resource.lock("lock");
    private static final String ONE_SESSION = "default_pool_size = 1";

    private static PostgresServer server;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** As the documentation page asks for. */
    @BeforeEach
    void limitWaiting() throws SQLException {
        new ServerFixture(server.uri()).close();
        ask(server.uri(), "ALTER ROLE postgres SET lock_timeout = '700ms'");
    }

    @AfterEach
    void limitNothing() throws SQLException {
        ask(server.uri(), "ALTER ROLE postgres RESET lock_timeout");
    }

    /** Returns the last statement's first column. */
    private static String ask(String uri, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            String answer = null;
            for (String each : statements) {
                if (statement.execute(each)) {
                    try (ResultSet rows = statement.getResultSet()) {
                        answer = rows.next() ? rows.getString(1) : null;
                    }
                }
            }
            return answer;
        }
    }

    private static JdbcClient client(String uri, String id) throws StoreFailure {
        return new JdbcClient(new JdbcStoreProvider(), uri, id);
    }

    @Test
    void settings_ofSessionsThatOthersShare_areLeftAlone() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, ONE_SESSION);
                JdbcClient client = client(bouncer.uri(), "a")) {
            assertThat(client.release(client.hold(LOCK))).isTrue();
            assertThat(ask(bouncer.uri(), "SHOW lock_timeout")).isEqualTo("700ms");
            assertThat(ask(bouncer.uri(), "SHOW idle_in_transaction_session_timeout"))
                    .isEqualTo("0");
        }
    }

    @Test
    void connect_whereSharedSessionsWaitForRowsForEver_isRefusedWithWhatMendsIt() throws Exception {
        limitNothing();
        try (PgBouncer bouncer = PgBouncer.start(server)) {
            StoreFailure refused = catchThrowableOfType(StoreFailure.class, () -> client(bouncer.uri(), "a"));
            assertThat(refused).isNotNull().hasMessageContaining("ALTER ROLE CURRENT_USER SET lock_timeout = '500ms'");
            assertThat(refused.reason()).isEqualTo(Reason.UNFIT);
            ask(bouncer.uri(), "ALTER ROLE CURRENT_USER SET lock_timeout = '500ms'");
        }
        // New sessions have the setting.
        try (PgBouncer bouncer = PgBouncer.start(server);
                JdbcClient client = client(bouncer.uri(), "a")) {
            assertThat(client.release(client.hold(LOCK))).isTrue();
        }
    }

    @Test
    void poolerThatKnowsNoPreparedStatements_servesManyClientsAtATime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (PgBouncer bouncer = PgBouncer.start(server, "max_prepared_statements = 0", "default_pool_size = 3")) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String id = "client" + i;
                all.add(threads.submit(() -> {
                    try (JdbcClient client = client(bouncer.uri(), id)) {
                        // The driver prepares a statement at the server when it is executed for the fifth time.
                        for (int pair = 0; pair < 50; pair++) {
                            assertThat(client.release(client.hold(Resource.lock(id))))
                                    .isTrue();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void dataSource_whosePoolerKnowsNoPreparedStatements_failsWithWhatToSet() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, "max_prepared_statements = 0", ONE_SESSION);
                HikariDataSource firstPool = pool(bouncer);
                HikariDataSource secondPool = pool(bouncer)) {
            StoreFailure refused = catchThrowableOfType(StoreFailure.class, () -> {
                // The driver prepares a statement at the server when it is executed for the fifth time.
                try (JdbcClient first = client(firstPool, "a");
                        JdbcClient second = client(secondPool, "b")) {
                    for (int i = 0; i < 10; i++) {
                        first.release(first.hold(LOCK));
                        second.release(second.hold(LOCK));
                    }
                }
            });
            assertThat(refused).isNotNull().hasMessageContaining("prepareThreshold=0");
        }
    }

    private static HikariDataSource pool(PgBouncer bouncer) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(bouncer.uri());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static JdbcClient client(DataSource source, String id) throws StoreFailure {
        return new JdbcClient(new JdbcStoreProvider()
                .open(new StoreConfig(
                        URI.create("jdbc:postgresql:"),
                        "tests",
                        id,
                        Timings.DEFAULTS,
                        Duration.ofSeconds(20),
                        List.of(source),
                        JdbcClient.DEAF)));
    }

    @Test
    void poolerOfSessions_servesToo() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, "pool_mode = session");
                JdbcClient client = client(bouncer.uri(), "a")) {
            assertThat(client.release(client.hold(LOCK))).isTrue();
            assertThat(client.store().capabilities().push()).isFalse();
        }
    }

    @Test
    void poolerOfStatements_isRefused() {
        try (PgBouncer bouncer = PgBouncer.start(server, "pool_mode = statement")) {
            StoreFailure refused = catchThrowableOfType(StoreFailure.class, () -> client(bouncer.uri(), "a"));
            assertThat(refused).isNotNull().hasMessageContaining("statement pooling mode");
        }
    }

    @Test
    void waitingClient_asksInsteadOfListening() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, ONE_SESSION);
                JdbcClient holder = client(bouncer.uri(), "a");
                JdbcClient waiting = client(bouncer.uri(), "b")) {
            holder.hold(LOCK);
            assertThat(waiting.acquire(LOCK, waiting.next(), Acquire.Mode.QUEUE))
                    .isInstanceOf(Acquire.Queued.class);
            // LISTEN would have stayed on the session that all clients share.
            assertThat(ask(bouncer.uri(), "SELECT count(*) FROM pg_listening_channels()"))
                    .isEqualTo("0");
            assertThat(waiting.store().capabilities().push()).isFalse();
        }
    }

    @Test
    void lockPassedOn_reachesAWaiterInTime() throws Exception {
        BatonOptions options =
                BatonOptions.builder().connectTimeout(Duration.ofSeconds(20)).build();
        try (PgBouncer bouncer = PgBouncer.start(server);
                Baton first = Baton.connect(bouncer.uri(), options);
                Baton second = Baton.connect(bouncer.uri(), options)) {
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try {
                Lease held = first.lock("job").acquire();
                Future<Lease> next = thread.submit(() -> second.lock("job").acquire());
                while (first.lock("job").inspect().orElseThrow().waiters().isEmpty()) {
                    Thread.onSpinWait();
                }
                long token = held.token();
                held.release();
                try (Lease passed = next.get(20, TimeUnit.SECONDS)) {
                    assertThat(passed.token()).isGreaterThan(token);
                }
            } finally {
                thread.shutdownNow();
            }
        }
    }
}
