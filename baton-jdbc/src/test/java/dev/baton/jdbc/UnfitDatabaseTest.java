package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases whose tables, settings or modes differ from Baton's needs: they work anyway, or are refused at once. */
class UnfitDatabaseTest {
    private static final Resource LOCK = Resource.lock("lock");

    @TempDir
    private static Path directory;

    private static JdbcClient connect(String uri) throws Exception {
        return new JdbcClient(new JdbcStoreProvider(), uri, "a");
    }

    private static StoreFailure refusal(String uri) {
        StoreFailure refused =
                catchThrowableOfType(StoreFailure.class, () -> connect(uri).close());
        assertThat(refused).as("connecting to %s", uri).isNotNull();
        assertThat(refused.reason()).isEqualTo(StoreFailure.Reason.UNFIT);
        return refused;
    }

    private static void execute(String uri, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static String ask(String uri, String question) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            rows.next();
            return rows.getString(1);
        }
    }

    // ---- tables of other users -----------------------------------------------------------------------------------

    /** Three users of a server, and a schema in which two of them may create tables. */
    private static final class Shared implements AutoCloseable {
        final String admin = PostgresServer.shared().uri();
        final String app = admin.replace("user=postgres", "user=app");
        final String mallory = admin.replace("user=postgres", "user=mallory");
        final String tables = "&baton.tables=shared.baton_";

        Shared() throws SQLException {
            execute(
                    admin,
                    "CREATE ROLE app LOGIN",
                    "CREATE ROLE mallory LOGIN",
                    "CREATE ROLE staff",
                    "CREATE SCHEMA shared",
                    "GRANT ALL ON SCHEMA shared TO app, mallory, staff",
                    "CREATE TABLE shared.ran (by_whom text)",
                    "GRANT INSERT ON shared.ran TO PUBLIC",
                    "CREATE FUNCTION shared.run() RETURNS int LANGUAGE sql AS"
                            + " 'INSERT INTO shared.ran VALUES (current_user) RETURNING 1'",
                    "CREATE FUNCTION shared.run_trigger() RETURNS trigger LANGUAGE plpgsql AS"
                            + " 'BEGIN PERFORM shared.run(); RETURN NEW; END'");
        }

        String codeRun() throws SQLException {
            return ask(admin, "SELECT count(*) FROM shared.ran");
        }

        @Override
        public void close() throws SQLException {
            execute(
                    admin,
                    "DROP SCHEMA shared CASCADE",
                    "DROP ROLE app",
                    "DROP OWNED BY mallory",
                    "DROP ROLE mallory",
                    "DROP ROLE staff");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"descriptor", "bucket", "lease", "ticket", "cancelled", "fence", "note"})
    void postgresql_tableThatAnotherRoleMadeBefore_isRefused_andRunsNoCode(String table) throws Exception {
        try (Shared shared = new Shared()) {
            String name = "shared.baton_" + table;
            execute(
                    shared.mallory,
                    tableOf(table),
                    "CREATE TRIGGER evil BEFORE INSERT OR UPDATE OR DELETE ON " + name
                            + " FOR EACH STATEMENT EXECUTE FUNCTION shared.run_trigger()",
                    "GRANT ALL ON " + name + " TO PUBLIC");
            for (String user : List.of(shared.app, shared.admin)) {
                assertThat(refusal(user + shared.tables))
                        .hasMessageContaining("table " + name + " belongs to the role \"mallory\"")
                        .hasMessageContaining("ALTER TABLE " + name + " OWNER TO")
                        .hasMessageContaining("REVOKE CREATE ON SCHEMA \"shared\" FROM PUBLIC");
            }
            execute(
                    shared.mallory,
                    "DROP TABLE " + name,
                    "CREATE VIEW " + name + " AS SELECT 'x'::bytea AS namespace, 'x'::bytea AS name, shared.run() AS x",
                    "GRANT ALL ON " + name + " TO PUBLIC");
            assertThat(refusal(shared.app + shared.tables)).hasMessageContaining("mallory");
            assertThat(shared.codeRun()).isEqualTo("0");
        }
    }

    private static String tableOf(String table) {
        String text = Databases.POSTGRESQL.dialect("shared.baton_").schema().stream()
                .filter(each -> each.startsWith("CREATE TABLE IF NOT EXISTS shared.baton_" + table + " "))
                .findFirst()
                .orElseThrow();
        assertThat(text).contains("shared.baton_" + table);
        return text;
    }

    @Test
    void postgresql_tablesOfTheAdministrator_orOfOnesOwnGroup_areUsed() throws Exception {
        try (Shared shared = new Shared()) {
            connect(shared.admin + shared.tables).close();
            execute(shared.admin, "GRANT ALL ON ALL TABLES IN SCHEMA shared TO app");
            try (JdbcClient client = connect(shared.app + shared.tables)) {
                client.release(client.hold(LOCK));
            }
            execute(shared.admin, "ALTER TABLE shared.baton_lease OWNER TO staff");
            assertThat(refusal(shared.app + shared.tables)).hasMessageContaining("\"staff\"");
            execute(shared.admin, "GRANT staff TO app");
            try (JdbcClient client = connect(shared.app + shared.tables)) {
                client.release(client.hold(LOCK));
            }
        }
    }

    /** As an earlier version left them. A user who may not create tables is told to. */
    @Test
    void postgresql_tablesWithoutThatOfNotes_areCompletedByAUserWhoMay() throws Exception {
        try (Shared shared = new Shared()) {
            connect(shared.admin + shared.tables).close();
            execute(
                    shared.admin,
                    "DROP TABLE shared.baton_note",
                    "REVOKE CREATE ON SCHEMA shared FROM app",
                    "GRANT ALL ON ALL TABLES IN SCHEMA shared TO app");
            StoreFailure refused = catchThrowableOfType(
                    StoreFailure.class,
                    () -> connect(shared.app + shared.tables).close());
            assertThat(refused.reason()).isEqualTo(StoreFailure.Reason.DENIED);
            assertThat(refused).hasMessageContaining("or CREATE them");
            connect(shared.admin + shared.tables).close();
            assertThat(catchThrowableOfType(
                            StoreFailure.class,
                            () -> connect(shared.app + shared.tables).close()))
                    .hasMessageContaining("lacks a right");
            execute(shared.admin, "GRANT SELECT, INSERT, UPDATE, DELETE ON shared.baton_note TO app");
            try (JdbcClient client = connect(shared.app + shared.tables)) {
                client.release(client.hold(LOCK));
            }
        }
    }

    /** PostgreSQL prefers operators and functions whose arguments fit exactly to its own whose arguments nearly fit. */
    @Test
    void postgresql_functionsOfAnotherRole_areNotCalled() throws Exception {
        try (Shared shared = new Shared()) {
            String evil = " LANGUAGE plpgsql AS 'BEGIN PERFORM shared.run(); RETURN ";
            execute(
                    shared.mallory + "&currentSchema=shared",
                    "CREATE FUNCTION eq(text, varchar) RETURNS boolean" + evil + "true; END'",
                    "CREATE OPERATOR = (LEFTARG = text, RIGHTARG = varchar, FUNCTION = eq)",
                    "CREATE FUNCTION mul(double precision, integer) RETURNS double precision" + evil
                            + "$1 * $2::double precision; END'",
                    "CREATE OPERATOR * (LEFTARG = double precision, RIGHTARG = integer, FUNCTION = mul)",
                    "CREATE FUNCTION pg_notify(varchar, varchar) RETURNS void" + evil.replace("RETURN ", "") + " END'");
            try (JdbcClient client = connect(shared.app + "&currentSchema=shared")) {
                Release held = client.hold(LOCK);
                long attempt = client.next();
                client.acquire(LOCK, attempt, Acquire.Mode.QUEUE);
                client.release(held);
                assertThat(client.poll(LOCK, attempt)).isInstanceOf(Heartbeat.TicketGranted.class);
                client.store().list("", "", 10, JdbcClient.TIMEOUT_NANOS);
            }
            assertThat(shared.codeRun()).isEqualTo("0");
        }
    }

    // ---- tables that differ -----------------------------------------------------------------------------------------

    static Stream<String> databases() {
        return Stream.of(
                "jdbc:sqlite:" + directory.resolve("locks.db"),
                PostgresServer.shared().uri() + "&baton.tables=older_",
                MariaServer.shared().uri() + "&baton.tables=older_",
                H2Server.newUri() + ";baton.tables=older_");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void tables_thatCompareNamesAsText_areRefused(String uri) throws Exception {
        boolean sqlite = uri.startsWith("jdbc:sqlite:");
        String driver = uri.replaceAll("[&;]baton.tables=older_", "");
        String lease = (sqlite ? "baton_" : "older_") + "lease";
        connect(uri).close();
        connect(uri).close();
        execute(
                driver,
                "DROP TABLE " + lease,
                "CREATE TABLE " + lease + " (namespace VARCHAR(64), name VARCHAR(100), client VARCHAR(64))");
        assertThat(refusal(uri))
                .hasMessageContainingAll("table ", "was made by another version of Baton", "drop the tables of Baton");
        execute(driver, "DROP TABLE " + lease);
        connect(uri).close();
    }

    @Test
    void mariadb_viewOrTableWithoutTransactions_isRefused() throws Exception {
        String uri = MariaServer.shared().uri();
        String tables = uri + "&baton.tables=mixed_";
        connect(tables).close();
        execute(uri, "ALTER TABLE mixed_bucket ENGINE = MyISAM");
        assertThat(refusal(tables)).hasMessageContaining("table mixed_bucket was made");
        execute(
                uri,
                "ALTER TABLE mixed_bucket ENGINE = InnoDB",
                "DROP TABLE mixed_ticket",
                "CREATE VIEW mixed_ticket AS SELECT * FROM mixed_bucket");
        assertThat(refusal(tables)).hasMessageContaining("table mixed_ticket was made");
        execute(uri, "DROP VIEW mixed_ticket");
        connect(tables).close();
    }

    /**
     * A row that exists but cannot be found: its lock is tried for no longer than the call may take. Tried on this thread:
     * calls of H2 have threads of their own, whose callers leave soon after their time, without the reason.
     */
    @Test
    void row_thatTheDatabaseDoesNotFind_costsNoMoreThanTheCallsTime() throws Exception {
        CountingConnection blind = new CountingConnection();
        blind.rewrite(sql -> sql.endsWith("FOR UPDATE") ? sql.replace("seat = 0", "seat = 1000") : sql);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        String uri = H2Server.newUri();
        try (JdbcClient client = connect(uri)) {
            client.hold(LOCK);
            Session session = session(uri, blind);
            Tables tables = new Tables("tests", null);
            Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(1));
            Future<StoreFailure> failure = thread.submit(() -> catchThrowableOfType(
                    StoreFailure.class,
                    () -> session.run(
                            deadline,
                            each -> each.transaction(inside -> {
                                tables.lock(inside, List.of(LOCK.name()));
                                return true;
                            }))));
            assertThat(failure.get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("may not see them")
                    .returns(StoreFailure.Effect.NONE, StoreFailure::effect);
            assertThat(deadline.leftNanos()).isNotPositive();
            session.close();
        } finally {
            thread.shutdownNow();
        }
    }

    private static Session session(String uri, CountingConnection watched) {
        Address address = ServerAddress.of(URI.create(uri), Databases.H2);
        Lender lender = new Lender() {
            @Override
            public Connection lend(Deadline deadline) throws SQLException {
                return watched.around(DriverManager.getConnection(address.url()));
            }

            @Override
            public boolean isShared() {
                return false;
            }

            @Override
            public void close() {
                // The session closes its connection.
            }
        };
        return new Session(address.dialect(), lender, address.setup(), Redaction.of(address.url()), address.target());
    }

    // ---- databases that cannot be written ---------------------------------------------------------------------------

    @Test
    void postgresql_thatIsReadOnly_isRefusedWhenItsTablesAreThere() throws Exception {
        String uri = PostgresServer.shared().uri();
        connect(uri).close();
        assertThat(refusal(uri + "&options=-c%20default_transaction_read_only=on"))
                .hasMessageContainingAll("read-only", "name the primary", "default_transaction_read_only = off");
    }

    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri());
    }

    @ParameterizedTest
    @MethodSource("servers")
    void poolOfReadOnlyConnections_isRefused(String uri) throws Exception {
        connect(uri).close();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(uri);
        config.setReadOnly(true);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            String bare = uri.substring(0, uri.indexOf(':', "jdbc:".length()) + 1);
            StoreFailure refused = catchThrowableOfType(
                    StoreFailure.class,
                    () -> new JdbcStoreProvider()
                            .open(new StoreConfig(
                                    URI.create(bare),
                                    "tests",
                                    "a",
                                    Timings.DEFAULTS,
                                    Duration.ofSeconds(20),
                                    List.of(pool),
                                    JdbcClient.DEAF)));
            assertThat(refused).hasMessageContaining("pool make its connections read-only");
            assertThat(refused.reason()).isEqualTo(StoreFailure.Reason.UNFIT);
        }
    }

    // ---- modes ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IGNORECASE=TRUE",
                "MODE=REGULAR",
                "MODE=STRICT",
                "MODE=LEGACY",
                "MODE=Oracle",
                "MODE=Oracle;DEFAULT_NULL_ORDERING=HIGH",
                "MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE",
                "MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
                "MODE=MariaDB;DATABASE_TO_LOWER=TRUE",
                "MODE=MSSQLServer",
                "MODE=DB2",
                "MODE=Derby",
                "MODE=HSQLDB",
                "DATABASE_TO_UPPER=FALSE"
            })
    void h2_inAnyMode_keepsNamesApartAndHandsOver(String mode) throws Exception {
        try (JdbcClient client = connect(H2Server.newUri() + ";" + mode)) {
            Release small = client.hold(Resource.lock("h1"));
            Release large = client.hold(Resource.lock("H1"));
            Release padded = client.hold(Resource.lock("h1 "));
            for (Release held : List.of(small, large, padded)) {
                long attempt = client.next();
                assertThat(client.acquire(held.resource(), attempt, Acquire.Mode.QUEUE))
                        .isInstanceOf(Acquire.Queued.class);
                assertThat(client.release(held)).isTrue();
                assertThat(client.poll(held.resource(), attempt)).isInstanceOf(Heartbeat.TicketGranted.class);
            }
            assertThat(client.store().list("h", "", 10, JdbcClient.TIMEOUT_NANOS))
                    .extracting(view -> view.resource().name())
                    .containsExactly("h1", "h1 ");
            Resource shares = new Resource("shares", Kind.SEMAPHORE, 3);
            long attempt = client.next();
            assertThat(client.acquire(shares, attempt, Acquire.Mode.TRY)).isInstanceOf(Acquire.Granted.class);
            client.store()
                    .cancel(new Cancel(shares, attempt, CommandNumber.of(client.next())), JdbcClient.TIMEOUT_NANOS);
        }
    }
}
