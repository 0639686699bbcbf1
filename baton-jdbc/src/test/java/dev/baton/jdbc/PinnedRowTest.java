package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.JvmHiccups;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that another transaction keeps locked: they delay their own names, and no other. */
@Tag("serial")
class PinnedRowTest {
    private static final int PINNED = 12;

    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri(), H2Server.newUri());
    }

    /** Opens a transaction that has read names for update, and does not end. */
    private static Connection pin(String uri, String namespace, String prefix) throws Exception {
        Connection connection = DriverManager.getConnection(uri);
        // Otherwise InnoDB locks all rows that it has examined.
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        try (PreparedStatement select = connection.prepareStatement("SELECT token FROM baton_lease"
                + " WHERE namespace = ? AND name >= ? AND name < ? AND seat = 0 FOR UPDATE")) {
            select.setBytes(1, Utf8.bytes(namespace));
            select.setBytes(2, Utf8.bytes(prefix));
            select.setBytes(3, Utf8.beyond(prefix));
            try (ResultSet rows = select.executeQuery()) {
                assertThat(rows.next()).isTrue();
            }
        }
        return connection;
    }

    private static Heartbeat.Hold beatOf(Release held, long leaseMicros) {
        return new Heartbeat.Hold(held.resource(), held.attempt(), held.token(), 1, leaseMicros, 0, true, "test");
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P22: heartbeat_withOnePinnedRow_renewsAllOthersInTime")
    void heartbeat_withOnePinnedRow_renewsAllOthersInTime(String uri) throws Exception {
        try (JvmHiccups hiccups = new JvmHiccups();
                ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = new JdbcClient(new JdbcStoreProvider(), emptied.uri(), "a")) {
            List<Heartbeat.Hold> holds = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                holds.add(beatOf(client.hold(Resource.lock((i == 7 ? "pinned " : "free ") + i)), 60_000_000));
            }
            Release contended = client.hold(Resource.lock("contended"));
            long attempt = client.next();
            client.acquire(Resource.lock("contended"), attempt, Acquire.Mode.QUEUE);
            List<Heartbeat.Ticket> tickets = List.of(new Heartbeat.Ticket(contended.resource(), attempt));
            try (Connection pin = pin(uri, "tests", "pinned")) {
                for (int round = 0; round < 3; round++) {
                    Deadline start = Deadline.in(0);
                    Heartbeat.Reply reply = client.heartbeat(holds, tickets);
                    Duration took = Duration.ofNanos(-start.leftNanos());
                    System.out.println(uri + ": heartbeat with one pinned row: " + took);
                    for (int i = 0; i < 20; i++) {
                        assertThat(reply.holds().get(i))
                                .isInstanceOf(i == 7 ? Heartbeat.AskAgain.class : Heartbeat.Renewed.class);
                    }
                    assertThat(reply.tickets().get(0)).isInstanceOf(Heartbeat.Waiting.class);
                    assertThat(took).isLessThan(hiccups.fair(Duration.ofSeconds(3), 3));
                }
                StoreFailure alone = catchThrowableOfType(
                        StoreFailure.class,
                        () -> client.store()
                                .heartbeat(
                                        new Heartbeat(
                                                CommandNumber.of(client.next()), List.of(holds.get(7)), List.of()),
                                        4_000_000_000L));
                assertThat(alone.effect()).isEqualTo(StoreFailure.Effect.NONE);
                assertThat(alone).hasMessageContaining("pinned 7").hasMessageContaining("locked");
                pin.rollback();
            }
            assertThat(client.heartbeat(holds, List.of()).holds()).hasOnlyElementsOfType(Heartbeat.Renewed.class);
        }
    }

    /** The time of the heartbeat ends during a check of the row, and a check changes nothing. */
    @ParameterizedTest
    @MethodSource("servers")
    void heartbeat_whoseLastCheckOfAPinnedRowIsNotAnswered_saysThatItIsLocked(String uri) throws Exception {
        CountingConnection slow = new CountingConnection();
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = new JdbcClient(new JdbcStoreProvider(slow::around), emptied.uri(), "a")) {
            List<Heartbeat.Hold> pinned = List.of(beatOf(client.hold(Resource.lock("pinned")), 60_000_000));
            try (Connection pin = pin(uri, "tests", "pinned")) {
                // From here on the row is known to be locked.
                Throwable unused = catchThrowableOfType(StoreFailure.class, () -> client.heartbeat(pinned, List.of()));
                slow.before(sql -> {
                    if (sql.contains("SKIP LOCKED")) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                    }
                });
                Heartbeat command = new Heartbeat(CommandNumber.of(client.next()), pinned, List.of());
                StoreFailure late = catchThrowableOfType(
                        StoreFailure.class,
                        () -> client.store().heartbeat(command, TimeUnit.MILLISECONDS.toNanos(1_700)));
                assertThat(late.effect()).isEqualTo(StoreFailure.Effect.NONE);
                assertThat(late).hasMessageContaining("pinned").hasMessageContaining("locked");
                pin.rollback();
            }
        }
    }

    /** Starts more threads than there are sessions, which ask for pinned names all the time. */
    private static void askFor(Baton baton, String prefix, ExecutorService threads, Deadline end) {
        for (int i = 0; i < PINNED; i++) {
            String name = prefix + i;
            threads.execute(() -> {
                while (end.leftNanos() > 0) {
                    try {
                        baton.lock(name).tryAcquire(Duration.ofSeconds(20)).ifPresent(Lease::release);
                    } catch (StoreException | InterruptedException expected) {
                        // The row is locked, or the test is over.
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P22: pinnedRows_moreThanThereAreSessions_costNoOtherNameItsLeaseOrItsTurn")
    void pinnedRows_moreThanThereAreSessions_costNoOtherNameItsLeaseOrItsTurn(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JvmHiccups hiccups = new JvmHiccups()) {
            String named = named(emptied.uri(), "baton-pinned");
            BatonOptions options = BatonOptions.builder()
                    .namespace("pins")
                    // Renewals must have some time left after a pinned row and a stall of this machine.
                    .leaseTime(Duration.ofSeconds(9))
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();
            try (Baton baton = Baton.connect(named, options)) {
                for (int i = 0; i < PINNED; i++) {
                    baton.lock("pinned" + i).acquire().release();
                }
                List<Lease> held = List.of(
                        baton.lock("other").acquire(),
                        baton.lock("third").acquire(),
                        baton.lock("pinned-held").acquire());
                try (Connection pin = pin(uri, "pins", "pinned")) {
                    worksBesides(baton, held, hiccups);
                    pin.rollback();
                }
            }
        }
    }

    private static void worksBesides(Baton baton, List<Lease> held, JvmHiccups hiccups) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        // Longer than a lease.
        Deadline end = Deadline.in(TimeUnit.SECONDS.toNanos(12));
        Duration slowest = Duration.ZERO;
        try {
            askFor(baton, "pinned", threads, end);
            for (int i = 0; end.leftNanos() > 0; i++) {
                Deadline start = Deadline.in(0);
                try (Lease lease = baton.lock("free" + i).acquire()) {
                    assertThat(lease.isHeld()).isTrue();
                }
                Duration took = Duration.ofNanos(-start.leftNanos());
                slowest = took.compareTo(slowest) > 0 ? took : slowest;
                assertThat(held.get(0).isHeld()).as("other").isTrue();
                assertThat(held.get(1).isHeld()).as("third").isTrue();
                TimeUnit.MILLISECONDS.sleep(50);
            }
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
        System.out.println("slowest pair on a free name: " + slowest);
        assertThat(slowest).isLessThan(hiccups.fair(Duration.ofSeconds(6), 3));
    }

    private static String named(String uri, String name) {
        return uri.contains("postgres") ? uri + "&ApplicationName=" + name : uri;
    }

    static Stream<String> networkServers() {
        return servers().limit(2);
    }

    @ParameterizedTest
    @MethodSource("networkServers")
    @DisplayName("P22: callsOnAPinnedRow_leaveNoPileOfThoseThatWaitOnTheServer")
    void callsOnAPinnedRow_leaveNoPileOfThoseThatWaitOnTheServer(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                Baton baton = Baton.connect(
                        emptied.uri(), BatonOptions.builder().namespace("pins").build())) {
            baton.lock("pinned").acquire().release();
            try (Connection pin = pin(uri, "pins", "pinned");
                    Connection eye = DriverManager.getConnection(uri)) {
                Deadline end = Deadline.in(TimeUnit.SECONDS.toNanos(4));
                long most = 0;
                while (end.leftNanos() > 0) {
                    Throwable unused = catchThrowableOfType(
                            StoreException.class, () -> baton.lock("pinned").tryAcquire(Duration.ofMillis(200)));
                    most = Math.max(most, number(eye, waiting(uri, 0)));
                    assertThat(number(eye, waiting(uri, 3)))
                            .as("waiting for 3 s")
                            .isZero();
                }
                System.out.println(uri + ": at most " + most + " waited at a time");
                // A first try, and the cancel that undoes it.
                assertThat(most).isLessThanOrEqualTo(2);
                pin.rollback();
            }
            assertThat(baton.lock("pinned").tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    /** Two transactions pass the row to each other: a look that does not wait for it finds it locked. */
    @ParameterizedTest
    @MethodSource("networkServers")
    @DisplayName("P22: rowThatIsFreeOnlyForMoments_isWaitedFor")
    void rowThatIsFreeOnlyForMoments_isWaitedFor(String uri) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        AtomicBoolean over = new AtomicBoolean();
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = new JdbcClient(new JdbcStoreProvider(), emptied.uri(), "a")) {
            client.hold(Resource.lock("pinned"));
            try (Connection pin = pin(uri, "tests", "pinned")) {
                // From here on the row is known to be locked.
                StoreFailure locked = catchThrowableOfType(
                        StoreFailure.class, () -> client.store().forceRelease("pinned", 1, false, 2_000_000_000L));
                assertThat(locked.effect()).isEqualTo(StoreFailure.Effect.NONE);
                for (int i = 0; i < 2; i++) {
                    threads.execute(() -> pinAgainAndAgain(uri, over));
                }
                TimeUnit.MILLISECONDS.sleep(200);
                pin.rollback();
            }
            int calls = 1;
            while (!isReached(client)) {
                assertThat(calls++).isLessThan(10);
            }
            System.out.println(uri + ": a row that is free only for moments was reached by call " + calls);
        } finally {
            over.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Calls a command that needs the row, and changes nothing. */
    private static boolean isReached(JdbcClient client) {
        try {
            return !client.store().forceRelease("pinned", 1, false, 2_000_000_000L);
        } catch (StoreFailure failure) {
            // The effect is unknown if the row was free, but too late for an answer.
            return false;
        }
    }

    private static void pinAgainAndAgain(String uri, AtomicBoolean over) {
        while (!over.get()) {
            try (Connection pinned = pin(uri, "tests", "pinned")) {
                TimeUnit.MILLISECONDS.sleep(100);
                pinned.rollback();
            } catch (Exception refused) {
                // The database may refuse one of two transactions that meet.
            }
        }
    }

    private static String waiting(String uri, int seconds) {
        return uri.contains("postgres")
                ? "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query_start <= now() - interval '"
                        + seconds + " s'"
                : "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND"
                        + " trx_wait_started <= now() - interval " + seconds + " second";
    }

    private static long number(Connection eye, String sql) throws Exception {
        try (Statement statement = eye.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
