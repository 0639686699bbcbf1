package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cost and the row locks of commands if the tables have become large, or hold semaphores that are in use. */
class GrowingTablesTest {
    private static final int HOLDS = 16;
    private static final int OTHERS = 20_000;
    private static final int BEATS = 20;

    /** Five statements of a sweep each read a batch of names, once a second. */
    private static final int ROWS_OF_A_SWEEP = 5 * Sweeper.BATCH;

    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri(), H2Server.newUri());
    }

    private static List<Heartbeat.Hold> hold(JdbcClient client) throws Exception {
        List<Heartbeat.Hold> holds = new ArrayList<>();
        for (int i = 0; i < HOLDS; i++) {
            Release held = client.hold(Resource.lock("held " + i));
            holds.add(new Heartbeat.Hold(
                    held.resource(), held.attempt(), held.token(), 1, 60_000_000, 0, true, "holder " + i));
        }
        return holds;
    }

    private static void renew(JdbcClient client, List<Heartbeat.Hold> holds) throws Exception {
        assertThat(client.heartbeat(holds, List.of()).holds()).hasOnlyElementsOfType(Heartbeat.Renewed.class);
    }

    @Test
    @DisplayName("P27: renewal_plannedWhenTheTableWasSmall_readsNoMoreWhenItIsLarge")
    void renewal_plannedWhenTheTableWasSmall_readsNoMoreWhenItIsLarge() throws Exception {
        String uri = PostgresServer.shared().uri();
        try (ServerFixture emptied = new ServerFixture(uri);
                Connection other = DriverManager.getConnection(uri);
                Statement statement = other.createStatement()) {
            new JdbcClient(new JdbcStoreProvider(), emptied.uri(), "makes the tables").close();
            statement.execute("VACUUM ANALYZE baton_lease");
            try (JdbcClient client = new JdbcClient(new JdbcStoreProvider(), emptied.uri(), "a")) {
                List<Heartbeat.Hold> holds = hold(client);
                for (int i = 0; i < BEATS; i++) {
                    renew(client, holds);
                }
                statement.execute("INSERT INTO baton_lease SELECT convert_to('tests', 'UTF8'),"
                        + " convert_to('other ' || i, 'UTF8'), 0, i % 64, 'LOCK', 1, 0, 0, 1,"
                        + " convert_to('client ' || i % 50, 'UTF8'), i, 1, 9e15, 0, 1, 0, '', 1"
                        + " FROM generate_series(1, " + OTHERS + ") AS i");
                Deadline start = Deadline.in(0);
                double rows = RowsRead.each(other, client, BEATS, () -> renew(client, holds));
                long seconds = TimeUnit.NANOSECONDS.toSeconds(-start.leftNanos());
                System.out.println("rows for a heartbeat of " + HOLDS + " holds beside " + OTHERS + " others: " + rows);
                // A quiet machine needs two seconds, and sweeps once.
                double moreSweeps = Math.max(0, seconds - 2);
                assertThat(rows).isBetween(1.0 * HOLDS, 20.0 * HOLDS + moreSweeps * ROWS_OF_A_SWEEP / BEATS);
            }
            statement.execute("DELETE FROM baton_lease");
            statement.execute("VACUUM ANALYZE baton_lease");
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P29: sweep_besideSemaphoresInUse_locksNoneOfThem")
    void sweep_besideSemaphoresInUse_locksNoneOfThem(String uri) throws Exception {
        CountingConnection counting = new CountingConnection();
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = new JdbcClient(new JdbcStoreProvider(counting::around), emptied.uri(), "a")) {
            Resource semaphore = new Resource("semaphore", Kind.SEMAPHORE, 2);
            for (int i = 0; i < 3; i++) {
                client.store()
                        .acquire(
                                new Acquire(
                                        semaphore,
                                        CommandNumber.of(client.next()),
                                        1,
                                        30_000_000,
                                        0,
                                        "test",
                                        Acquire.Mode.QUEUE,
                                        1),
                                JdbcClient.TIMEOUT_NANOS);
            }
            counting.clear();
            // One sweep walks over the names, and one finds that there are no more.
            for (int i = 0; i < 2; i++) {
                TimeUnit.MILLISECONDS.sleep(1_100);
                client.release(client.hold(Resource.lock("brings a sweep")));
            }
            // More if this machine stalls between two commands.
            assertThat(counting.executed().stream().filter(sql -> sql.startsWith("DELETE FROM baton_cancelled")))
                    .hasSizeGreaterThanOrEqualTo(2);
            assertThat(counting.executed()).noneMatch(sql -> sql.contains("FOR UPDATE"));
            assertThat(client.store().inspect("semaphore", JdbcClient.TIMEOUT_NANOS))
                    .get()
                    .satisfies(view -> assertThat(view.holds()).hasSize(2))
                    .satisfies(view -> assertThat(view.tickets()).hasSize(1));
        }
    }

    @Test
    @DisplayName("P22: facts_ofClientsWithOtherSearchPaths_nameOtherSchemas")
    void facts_ofClientsWithOtherSearchPaths_nameOtherSchemas() throws Exception {
        String uri = PostgresServer.shared().uri();
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS elsewhere");
            try (JdbcClient usual = new JdbcClient(new JdbcStoreProvider(), uri, "a");
                    JdbcClient other = new JdbcClient(new JdbcStoreProvider(), uri + "&currentSchema=elsewhere", "b")) {
                assertThat(usual.store().facts(JdbcClient.TIMEOUT_NANOS)).containsEntry("schema", "public");
                assertThat(other.store().facts(JdbcClient.TIMEOUT_NANOS)).containsEntry("schema", "elsewhere");
            } finally {
                statement.execute("DROP SCHEMA elsewhere CASCADE");
            }
        }
    }
}
