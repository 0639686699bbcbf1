package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Timings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cost of one heartbeat, release and time-out in a long queue: the servers count the rows that they read. */
class LongQueueTest {
    private static final int FEW = 16;
    private static final int MANY = Boolean.getBoolean("baton.nightly") ? 10_000 : 1_000;
    private static final int POLLS = 50;
    private static final int TURNS = 4;

    /** A presence that outlasts the measuring. */
    private static final Timings PATIENT =
            new Timings(Duration.ofSeconds(50), Duration.ofSeconds(50), Timings.DEFAULT_GRACE);

    private static final long PRESENCE_MICROS = TimeUnit.MINUTES.toMicros(10);

    /** A server of its own: dead rows that a sweep passes count as read, and a shared one has those of others. */
    private static final PostgresServer POSTGRESQL = PostgresServer.start();

    static Stream<String> servers() {
        return Stream.of(POSTGRESQL.uri(), MariaServer.shared().uri());
    }

    @AfterAll
    static void stop() throws Exception {
        POSTGRESQL.close();
        // Other tests on the shared server have other timings.
        new ServerFixture(MariaServer.shared().uri()).close();
    }

    /** The rows that each of these needs. */
    private record Costs(double poll, double timeOut, double turn) {}

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P28: poll_timeOutAndHandOver_readAsManyRowsWhereAThousandWaitAsWhereSixteenDo")
    void poll_timeOutAndHandOver_readAsManyRowsWhereAThousandWaitAsWhereSixteenDo(String uri) throws Exception {
        Costs few = costs(uri, FEW);
        Costs many = costs(uri, MANY);
        System.out.println(uri + ": rows where " + FEW + " wait " + few + ", where " + MANY + " wait " + many);
        assertThat(many.poll()).isPositive().isLessThan(few.poll() * 1.3 + 1);
        assertThat(many.timeOut()).isPositive().isLessThan(few.timeOut() * 1.3 + 1);
        assertThat(many.turn()).isPositive().isLessThan(few.turn() * 1.3 + 1);
    }

    private static Costs costs(String uri, int waiting) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                Connection eye = DriverManager.getConnection(uri);
                JdbcClient others = patient(emptied.uri(), "others");
                JdbcClient last = patient(emptied.uri(), "last")) {
            Resource lock = Resource.lock("queue of " + waiting);
            Release held = hold(others, lock);
            List<Long> attempts = queue(eye, lock, others, waiting - 1);
            long mine = last.next();
            assertThat(last.acquire(lock, mine, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            RowsRead.Action poll = () -> assertThat(last.poll(lock, mine)).isInstanceOf(Heartbeat.Waiting.class);
            double polling = RowsRead.each(eye, last, POLLS, poll);
            double timingOut = RowsRead.each(eye, last, POLLS, () -> timeOut(last, lock));
            poll.run();
            assertThat(others.release(held)).isTrue();
            double turning = RowsRead.each(eye, others, TURNS, () -> turn(others, lock, attempts.remove(0)));
            poll.run();
            return new Costs(polling, timingOut, turning);
        }
    }

    private static JdbcClient patient(String uri, String id) throws Exception {
        return new JdbcClient(new JdbcStoreProvider().open(JdbcClient.config(uri, id, PATIENT)));
    }

    /** Holds for as long as the tickets of {@link #queue} last. */
    private static Release hold(JdbcClient client, Resource lock) throws Exception {
        long attempt = client.next();
        Acquire.Reply reply = client.store()
                .acquire(
                        new Acquire(
                                lock, CommandNumber.of(attempt), 1, PRESENCE_MICROS, 0, "test", Acquire.Mode.TRY, 1),
                        JdbcClient.TIMEOUT_NANOS);
        assertThat(reply).isInstanceOf(Acquire.Granted.class);
        return new Release(lock, attempt, ((Acquire.Granted) reply).token(), CommandNumber.of(client.next()));
    }

    /** Creates tickets of a client, as it would have written them. */
    private static List<Long> queue(Connection connection, Resource lock, JdbcClient client, int number)
            throws Exception {
        List<Long> attempts = new ArrayList<>();
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO baton_ticket (namespace, name, place, client, attempt, weight, lock_delay, present_until,"
                        + " description, secret) VALUES (?, ?, ?, ?, ?, 1, 0, ?, ?, 1)")) {
            insert.setBytes(1, Utf8.bytes("tests"));
            insert.setBytes(2, Utf8.bytes(lock.name()));
            insert.setBytes(4, Utf8.bytes("others"));
            insert.setLong(6, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) + PRESENCE_MICROS);
            insert.setBytes(7, Utf8.bytes("host-17.example.com pid 4711 thread worker-3"));
            for (int place = 1; place <= number; place++) {
                attempts.add(client.next());
                insert.setInt(3, place);
                insert.setLong(5, attempts.get(place - 1));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE baton_lease SET waiters = ? WHERE name = ?")) {
            update.setInt(1, number);
            update.setBytes(2, Utf8.bytes(lock.name()));
            assertThat(update.executeUpdate()).isOne();
        }
        return attempts;
    }

    private static void timeOut(JdbcClient client, Resource lock) throws Exception {
        long attempt = client.next();
        assertThat(client.acquire(lock, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
        client.store().cancel(new Cancel(lock, attempt, CommandNumber.of(client.next())), JdbcClient.TIMEOUT_NANOS);
    }

    /** The next client gets the lock, and hands it over. */
    private static void turn(JdbcClient client, Resource lock, long attempt) throws Exception {
        Heartbeat.TicketReply reply = client.poll(lock, attempt);
        assertThat(reply).isInstanceOf(Heartbeat.TicketGranted.class);
        long token = ((Heartbeat.TicketGranted) reply).token();
        assertThat(client.release(new Release(lock, attempt, token, CommandNumber.of(client.next()))))
                .isTrue();
    }
}
