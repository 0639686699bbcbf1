package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import dev.baton.tck.JvmHiccups;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Good and bad addresses and files, and changes that users make to a file by hand. */
class SqliteFileTest {
    private static final Resource LOCK = Resource.lock("lock");

    private final JdbcStoreProvider provider = new JdbcStoreProvider();

    @TempDir
    private Path directory;

    private String uri(String file) {
        return "jdbc:sqlite:" + directory.resolve(file);
    }

    private JdbcClient client(String file) throws StoreFailure {
        return new JdbcClient(provider, uri(file), "a");
    }

    private StoreFailure refused(String uri, Timings timings) {
        StoreFailure failure = catchThrowableOfType(
                StoreFailure.class,
                () -> provider.open(JdbcClient.config(uri, "a", timings)).close());
        assertThat(failure).isNotNull();
        assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE);
        return failure;
    }

    @Test
    void provider_isFoundByItsScheme() {
        assertThat(ServiceLoader.load(StoreProvider.class))
                .anySatisfy(found -> assertThat(found.schemes()).containsKey("jdbc:sqlite"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlite:", "jdbc:sqlite::memory:", "jdbc:sqlite:?synchronous=FULL"})
    void databaseInMemory_isRefusedWithAHint(String uri) {
        assertThatThrownBy(() -> SqliteAddress.of(URI.create(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"memory:\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlite:file:x.db", "jdbc:sqlite:file::memory:", "jdbc:sqlite::resource:x"})
    void addressThatIsNoPath_isRefused(String uri) {
        assertThatThrownBy(() -> SqliteAddress.of(URI.create(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("plain path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache=shared", "synchronous=OFF", "synchronous=FULL&x=1", ""})
    void optionThatIsUnknown_isRefused(String options) {
        assertThatThrownBy(() -> SqliteAddress.of(URI.create("jdbc:sqlite:x.db?" + options)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("synchronous");
    }

    @Test
    void address_withSpacesAndOption_isRead() throws Exception {
        assertThat(SqliteAddress.of(URI.create("jdbc:sqlite:/a/b%20c.db?synchronous=full")))
                .isEqualTo(new SqliteAddress(Path.of("/a/b c.db"), "FULL"));
        assertThat(SqliteAddress.of(URI.create("jdbc:sqlite:x.db")).file()).isAbsolute();
        try (JdbcClient client = new JdbcClient(provider, uri("full.db") + "?synchronous=FULL", "a")) {
            client.release(client.hold(LOCK));
        }
    }

    @Test
    void missingDirectory_isNamed() {
        assertThat(refused(uri("nowhere/x.db"), Timings.DEFAULTS))
                .hasMessageContaining(directory.resolve("nowhere") + " does not exist");
    }

    @Test
    void directory_insteadOfAFile_isNamed() {
        assertThat(refused("jdbc:sqlite:" + directory, Timings.DEFAULTS)).hasMessageContaining("is a directory");
    }

    @Test
    void fileThatIsNoDatabase_isLeftAlone() throws Exception {
        String text = "This is not a database, but somebody's file.\n".repeat(100);
        Files.writeString(directory.resolve("notes.txt"), text);
        assertThat(refused(uri("notes.txt"), Timings.DEFAULTS)).hasMessageContaining("is not an SQLite database");
        assertThat(directory.resolve("notes.txt")).hasContent(text);
    }

    @Test
    void otherTimings_areRefusedWithBothValues() throws Exception {
        client("x.db").close();
        Timings other = new Timings(Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(20));
        assertThat(refused(uri("x.db"), other))
                .hasMessageContaining("grace=PT1M")
                .hasMessageContaining("grace=PT20S");
    }

    @Test
    void otherProtocolVersion_isRefused() throws Exception {
        client("x.db").close();
        byHand("x.db", "UPDATE baton_descriptor SET protocol = 99");
        assertThat(refused(uri("x.db"), Timings.DEFAULTS)).hasMessageContaining("version 99");
    }

    @Test
    void client_afterClose_saysSo() throws Exception {
        JdbcClient client = client("x.db");
        client.close();
        client.close();
        assertThatThrownBy(() -> client.hold(LOCK))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("closed");
    }

    @Test
    void namespaces_inOneFile_areApart() throws Exception {
        try (JdbcClient one = client("x.db");
                JdbcClient two = new JdbcClient(provider.open(new StoreConfig(
                        URI.create(uri("x.db")),
                        "other",
                        "a",
                        Timings.DEFAULTS,
                        Duration.ofSeconds(2),
                        List.of(),
                        JdbcClient.DEAF)))) {
            Release held = one.hold(LOCK);
            two.hold(LOCK);
            assertThat(two.store().list("", "", 10, JdbcClient.TIMEOUT_NANOS)).hasSize(1);
            assertThat(one.release(held)).isTrue();
        }
    }

    @Test
    @DisplayName("P29, P38: rowsDeletedByHand_loseTheHoldAndKeepTokensGrowing")
    void rowsDeletedByHand_loseTheHoldAndKeepTokensGrowing() throws Exception {
        try (JdbcClient client = client("x.db")) {
            Release held = client.hold(LOCK);
            byHand("x.db", "DELETE FROM baton_lease");
            byHand("x.db", "DELETE FROM baton_bucket");
            assertThat(client.release(held)).isFalse();
            Thread.sleep(2);
            assertThat(client.hold(LOCK).token()).isGreaterThan(held.token());
        }
    }

    @Test
    @DisplayName("P29: leaseRowDeletedByHand_isMadeAgainForTheQueue")
    void leaseRowDeletedByHand_isMadeAgainForTheQueue() throws Exception {
        try (JdbcClient client = client("x.db")) {
            client.hold(LOCK);
            long first = client.next();
            long second = client.next();
            client.acquire(LOCK, first, Acquire.Mode.QUEUE);
            client.acquire(LOCK, second, Acquire.Mode.QUEUE);
            byHand("x.db", "DELETE FROM baton_lease");
            assertThat(client.poll(LOCK, second)).isInstanceOf(Heartbeat.Waiting.class);
            assertThat(client.poll(LOCK, first)).isInstanceOf(Heartbeat.TicketGranted.class);
        }
    }

    /** A call with more time than half a lock time-out would suspect the row of its name, if SQLite had locks of rows. */
    @ParameterizedTest
    @ValueSource(longs = {300, 700})
    void writerThatStops_insideItsTransaction_isWaitedForNoLongerThanTheCallMay(long millis) throws Exception {
        try (JvmHiccups hiccups = new JvmHiccups();
                JdbcClient client = client("x.db");
                Connection other = DriverManager.getConnection(uri("x.db"));
                Statement statement = other.createStatement()) {
            client.release(client.hold(LOCK));
            statement.execute("BEGIN IMMEDIATE");
            long start = System.nanoTime();
            StoreFailure failure = catchThrowableOfType(
                    StoreFailure.class,
                    () -> client.acquire(LOCK, client.next(), Acquire.Mode.TRY, millis * 1_000_000));
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE);
            // SQLite's own patience would be three seconds.
            assertThat(waited)
                    .isBetween(Duration.ofMillis(millis - 50), hiccups.fair(Duration.ofMillis(millis + 1_200), 3));
            statement.execute("ROLLBACK");
            client.release(client.hold(LOCK));
        }
    }

    @Test
    @DisplayName("P20: interruptedThread_getsItsAnswerAndKeepsItsFlag")
    void interruptedThread_getsItsAnswerAndKeepsItsFlag() throws Exception {
        try (JdbcClient client = client("x.db")) {
            Thread.currentThread().interrupt();
            Release held = client.hold(LOCK);
            assertThat(client.release(held)).isTrue();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private void byHand(String file, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(uri(file));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
