package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PostgreSQL notifies after the commit, and only if the receiving client listens. A transaction that notifies keeps all
 * other notifying transactions of the server from committing.
 */
class PostgresqlNotifyTest {
    private static final Resource LOCK = Resource.lock("lock");
    private static final long LIMIT_SECONDS = 20;

    /** The sessions whose commits wait for a standby. */
    private static final String WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

    private final CountingConnection counting = new CountingConnection();
    private final BlockingQueue<Push> pushes = new LinkedBlockingQueue<>();

    private JdbcClient client(String uri, String id, Object... resources) throws StoreFailure {
        StoreListener listener = new StoreListener() {
            @Override
            public void onPush(Push push) {
                pushes.add(push);
            }

            @Override
            public void onReconnect() {
                // Tests poll the state of a ticket.
            }
        };
        return new JdbcClient(new JdbcStoreProvider()
                .open(new StoreConfig(
                        URI.create(uri),
                        "tests",
                        id,
                        Timings.DEFAULTS,
                        Duration.ofSeconds(20),
                        List.of(resources),
                        listener)));
    }

    /** A call that queues waits only for a moment until its client listens. */
    private static void awaitListening(JdbcClient client) {
        Waiting.until("it listens", () -> client.store().capabilities().push());
    }

    private List<String> executed(String word) {
        return counting.executed().stream().filter(sql -> sql.contains(word)).toList();
    }

    @Test
    @DisplayName("P31: handOver_toAClientThatDoesNotListen_notifiesNobody")
    void handOver_toAClientThatDoesNotListen_notifiesNobody() throws Exception {
        String uri = PostgresServer.shared().uri();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(uri);
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient owner = new JdbcClient(new JdbcStoreProvider(counting::around), emptied.uri(), "owner");
                JdbcClient deaf = client("jdbc:postgresql:", "deaf", source)) {
            Release held = owner.hold(LOCK);
            long attempt = deaf.next();
            assertThat(deaf.acquire(LOCK, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            assertThat(owner.release(held)).isTrue();
            assertThat(deaf.poll(LOCK, attempt)).isInstanceOf(Heartbeat.TicketGranted.class);
            assertThat(executed("COMMIT")).isNotEmpty();
            assertThat(executed("pg_notify")).isEmpty();
        }
    }

    @Test
    @DisplayName("P31: handOver_toAClientThatListens_notifiesItOnceBehindTheCommit")
    void handOver_toAClientThatListens_notifiesItOnceBehindTheCommit() throws Exception {
        String uri = PostgresServer.shared().uri();
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient owner = new JdbcClient(new JdbcStoreProvider(counting::around), emptied.uri(), "owner");
                JdbcClient next = client(uri, "next")) {
            Release held = owner.hold(LOCK);
            long attempt = next.next();
            assertThat(next.acquire(LOCK, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            awaitListening(next);
            counting.clear();
            assertThat(owner.release(held)).isTrue();
            Push push = pushes.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(push).extracting(Push::attempt).isEqualTo(attempt);
            assertThat(executed("pg_notify")).hasSize(1);
            assertThat(counting.executed().indexOf(executed("pg_notify").get(0)))
                    .isGreaterThan(counting.executed().lastIndexOf("COMMIT"));
        }
    }

    @Test
    @DisplayName("P31: notificationThatFails_changesNothingOfTheRelease")
    void notificationThatFails_changesNothingOfTheRelease() throws Exception {
        String uri = PostgresServer.shared().uri();
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient owner = new JdbcClient(new JdbcStoreProvider(counting::around), emptied.uri(), "owner");
                JdbcClient next = client(uri, "next")) {
            Release held = owner.hold(LOCK);
            long attempt = next.next();
            next.acquire(LOCK, attempt, Acquire.Mode.QUEUE);
            counting.fail(sql -> sql.contains("pg_notify"), 1);
            assertThat(owner.release(held)).isTrue();
            assertThat(executed("pg_notify")).hasSize(1);
            assertThat(next.poll(LOCK, attempt)).isInstanceOf(Heartbeat.TicketGranted.class);
            owner.hold(Resource.lock("the next call works"));
        }
    }

    /** A commit that waits for a standby that does not exist takes as long as a test wants. */
    @Test
    @DisplayName("P31: slowCommitOfAHandOver_keepsNoOtherTransactionFromNotifying")
    void slowCommitOfAHandOver_keepsNoOtherTransactionFromNotifying() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (PostgresServer server = PostgresServer.start();
                Connection other =
                        DriverManager.getConnection(server.uri() + "&options=-c%20synchronous_commit=local");
                JdbcClient owner = new JdbcClient(new JdbcStoreProvider(), server.uri(), "owner");
                JdbcClient next = client(server.uri(), "next")) {
            Release held = owner.hold(LOCK);
            long attempt = next.next();
            next.acquire(LOCK, attempt, Acquire.Mode.QUEUE);
            awaitListening(next);
            setStandby(other, "nobody");
            try {
                awaitCommitsThatWait(threads, server.uri(), other);
                Future<Boolean> releasing = threads.submit(() -> owner.store()
                        .release(held, TimeUnit.SECONDS.toNanos(LIMIT_SECONDS))
                        .released());
                await(other, WAITING, 2);
                Future<?> notifying = threads.submit(() -> {
                    execute(other, "NOTIFY another_application");
                    return null;
                });
                // The release keeps its commit waiting for twice as long.
                notifying.get(LIMIT_SECONDS / 2, TimeUnit.SECONDS);
                assertThat(releasing).isNotDone();
                setStandby(other, "");
                assertThat(releasing.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(pushes.poll(LIMIT_SECONDS, TimeUnit.SECONDS))
                        .extracting(Push::attempt)
                        .isEqualTo(attempt);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /**
     * Has commits wait until one does, which goes on waiting: the server's processes hear of the setting one after the
     * other, and before that a commit does not wait.
     */
    private static void awaitCommitsThatWait(ExecutorService threads, String uri, Connection other) throws Exception {
        for (int i = 0; number(other, WAITING) == 0; i++) {
            String table = "waits_" + i;
            Future<?> commit = threads.submit(() -> {
                try (Connection connection = DriverManager.getConnection(uri)) {
                    execute(connection, "CREATE TABLE " + table + " ()");
                }
                return null;
            });
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
            while (!commit.isDone() && number(other, WAITING) == 0) {
                assertThat(System.nanoTime()).as("commits or waits").isLessThan(end);
            }
        }
    }

    private static void setStandby(Connection connection, String name) throws SQLException {
        execute(connection, "ALTER SYSTEM SET synchronous_standby_names = '" + name + "'");
        execute(connection, "SELECT pg_reload_conf()");
        awaitOne(
                connection,
                "SELECT count(*) FROM (SELECT current_setting('synchronous_standby_names') AS s) AS c WHERE s = '"
                        + name + "'");
    }

    private static void awaitOne(Connection connection, String question) throws SQLException {
        await(connection, question, 1);
    }

    private static void await(Connection connection, String question, int answer) throws SQLException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (number(connection, question) != answer) {
            assertThat(System.nanoTime()).as(question).isLessThan(end);
        }
    }

    private static long number(Connection connection, String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
