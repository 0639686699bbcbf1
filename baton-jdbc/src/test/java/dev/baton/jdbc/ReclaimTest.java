package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The grace period in tables, on servers whose record says that the data was on another server. */
class ReclaimTest {
    private static final Resource LOCK = Resource.lock("reclaimed");
    private static final Duration GRACE = Duration.ofSeconds(6);
    private static final long GRACE_MICROS = TimeUnit.NANOSECONDS.toMicros(GRACE.toNanos());

    /** A ticket outlasts a stall of this machine. */
    private static final Timings TIMINGS = new Timings(Duration.ofSeconds(3), Duration.ofSeconds(5), GRACE);

    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri());
    }

    /** Leaves no grace period to other tests. */
    @AfterEach
    void emptyTables() throws SQLException {
        for (String uri : servers().toList()) {
            new ServerFixture(uri).close();
        }
    }

    private static JdbcClient client(String uri, String id) throws StoreFailure {
        return client(uri, id, Timings.DEFAULTS);
    }

    private static JdbcClient client(String uri, String id, Timings timings) throws StoreFailure {
        return new JdbcClient(new JdbcStoreProvider().open(JdbcClient.config(uri, id, timings)));
    }

    private static void run(String uri, String... sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        }
    }

    /** Leaves the tables as they are on a replica that was promoted, but without any hold, ticket or cancel. */
    private static void forgetAll(String uri) throws SQLException {
        run(uri, "DELETE FROM baton_lease", "DELETE FROM baton_ticket", "DELETE FROM baton_cancelled");
        comeFromElsewhere(uri);
    }

    private static void comeFromElsewhere(String uri) throws SQLException {
        run(uri, "UPDATE baton_epoch SET identity = 'another-00000000', grace_until = 0");
    }

    private static Heartbeat.Hold naming(Release held) {
        return new Heartbeat.Hold(held.resource(), held.attempt(), held.token(), 1, 30_000_000, 0, true, "test");
    }

    private static Heartbeat.HoldReply beat(JdbcClient client, Release held) throws StoreFailure {
        return client.heartbeat(List.of(naming(held)), List.of()).holds().get(0);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void forgottenHold_namedInAHeartbeat_isRestoredWithItsToken(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient holder = client(uri, "a");
                JdbcClient other = client(uri, "b")) {
            Release held = holder.hold(LOCK);
            forgetAll(emptied.uri());
            Acquire.Reply refused = other.acquire(LOCK, other.next(), Acquire.Mode.TRY);
            assertThat(refused).isInstanceOf(Acquire.Recovering.class);
            assertThat(refused.stamp().graceMicros()).isBetween(1L, Timings.DEFAULTS.graceMicros());
            Acquire.Reply queued = other.acquire(LOCK, other.next(), Acquire.Mode.QUEUE);
            assertThat(queued).isInstanceOf(Acquire.Queued.class);
            assertThat(queued.stamp().graceMicros()).isPositive();
            assertThat(beat(holder, held)).isInstanceOf(Heartbeat.Renewed.class);
            assertThat(emptied.number("SELECT token FROM baton_lease WHERE client IS NOT NULL"))
                    .isEqualTo(held.token());
            assertThat(other.acquire(LOCK, other.next(), Acquire.Mode.TRY)).isInstanceOf(Acquire.Recovering.class);
            assertThat(beat(holder, held)).isInstanceOf(Heartbeat.Renewed.class);
            assertThat(holder.release(held)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void forgottenHold_onlyConfirmed_isRestored_thoughReadsAnswerMostConfirmations(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient holder = client(uri, "a")) {
            Release held = holder.hold(LOCK);
            forgetAll(emptied.uri());
            Heartbeat.Hold confirmed =
                    new Heartbeat.Hold(LOCK, held.attempt(), held.token(), 1, 90_000_000, 0, false, "test");
            assertThat(holder.heartbeat(List.of(confirmed), List.of()).holds())
                    .hasOnlyElementsOfType(Heartbeat.Renewed.class);
            assertThat(holder.heartbeat(List.of(confirmed), List.of()).holds())
                    .hasOnlyElementsOfType(Heartbeat.Renewed.class);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void heartbeat_olderThanTheRelease_asksAgain_andRestoresNothing(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient before = client(emptied.uri(), "a");
                // A failover breaks connections, and this client has none yet.
                JdbcClient holder = client(uri, "a")) {
            Release known = before.hold(LOCK);
            Release forgotten = before.hold(Resource.lock("forgotten"));
            run(uri, "UPDATE baton_lease SET client = NULL WHERE token = " + forgotten.token());
            comeFromElsewhere(uri);
            assertThat(holder.acquire(Resource.lock("x"), holder.next(), Acquire.Mode.TRY))
                    .isInstanceOf(Acquire.Recovering.class);
            Heartbeat early = new Heartbeat(
                    CommandNumber.of(holder.next()), List.of(naming(known), naming(forgotten)), List.of());
            assertThat(holder.release(known)).isTrue();
            assertThat(holder.release(forgotten)).isFalse();
            assertThat(holder.store().heartbeat(early, JdbcClient.TIMEOUT_NANOS).holds())
                    .hasOnlyElementsOfType(Heartbeat.AskAgain.class);
            assertThat(emptied.number("SELECT count(*) FROM baton_lease WHERE client IS NOT NULL"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void hold_olderThanTheNamesLastToken_isLost(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient first = client(emptied.uri(), "a");
                JdbcClient second = client(uri, "b")) {
            Release old = first.hold(LOCK);
            assertThat(first.release(old)).isTrue();
            Release newer = second.hold(LOCK);
            comeFromElsewhere(uri);
            assertThat(beat(first, old)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
            assertThat(beat(second, newer)).isInstanceOf(Heartbeat.Renewed.class);
            assertThat(second.release(newer)).isTrue();
            assertThat(beat(first, old)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void hold_withALaterToken_takesThePlaceOfOneWhoseReleaseWasForgotten(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient first = client(emptied.uri(), "a");
                JdbcClient second = client(uri, "b")) {
            Release old = first.hold(LOCK);
            comeFromElsewhere(uri);
            Release lost = new Release(LOCK, second.next(), old.token() + 1, new CommandNumber(second::next));
            assertThat(beat(second, lost)).isInstanceOf(Heartbeat.Renewed.class);
            assertThat(beat(first, old)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
            assertThat(second.release(lost)).isTrue();
        }
    }

    /** The replica knows the hold, but not its last renewals. */
    @ParameterizedTest
    @MethodSource("servers")
    void hold_whoseRenewalsWereForgotten_isRestoredAfterItsOldDeadline(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient holder = client(emptied.uri(), "a");
                JdbcClient other = client(uri, "b")) {
            Release held = holder.hold(LOCK);
            run(uri, "UPDATE baton_lease SET deadline = 1");
            comeFromElsewhere(uri);
            assertThat(other.acquire(LOCK, other.next(), Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            assertThat(emptied.number("SELECT count(*) FROM baton_lease WHERE client IS NOT NULL"))
                    .isZero();
            assertThat(beat(holder, held)).isInstanceOf(Heartbeat.Renewed.class);
            assertThat(holder.release(held)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void forgottenShares_areAllRestored_evenBeyondTheCapacity(String uri) throws Exception {
        Resource two = new Resource("reclaimed", Kind.SEMAPHORE, 2);
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = client(emptied.uri(), "a")) {
            comeFromElsewhere(uri);
            for (int i = 0; i < 3; i++) {
                Release share = new Release(two, client.next(), 1_000 - i, new CommandNumber(client::next));
                assertThat(beat(client, share)).isInstanceOf(Heartbeat.Renewed.class);
            }
            assertThat(emptied.number("SELECT count(*) FROM baton_lease WHERE client IS NOT NULL"))
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void restoredHold_whoseTicketTheServerStillHas_isNotGrantedTwice(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient holder = client(emptied.uri(), "a");
                JdbcClient waiter = client(uri, "b")) {
            Release held = holder.hold(LOCK);
            long attempt = waiter.next();
            assertThat(waiter.acquire(LOCK, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            comeFromElsewhere(uri);
            Release granted = new Release(LOCK, attempt, held.token() + 1, new CommandNumber(waiter::next));
            assertThat(beat(waiter, granted)).isInstanceOf(Heartbeat.Renewed.class);
            assertThat(emptied.number("SELECT count(*) FROM baton_ticket")).isZero();
            assertThat(waiter.release(granted)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void gracePeriod_foundOnlyByThoseThatWait_beginsAndEnds(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient holder = client(emptied.uri(), "a", TIMINGS);
                JdbcClient waiter = client(uri, "b", TIMINGS)) {
            holder.hold(LOCK);
            long attempt = waiter.next();
            assertThat(waiter.acquire(LOCK, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            run(uri, "UPDATE baton_lease SET deadline = 1");
            Deadline begin = Deadline.in(0);
            comeFromElsewhere(uri);
            Heartbeat.TicketReply reply = waiter.poll(LOCK, attempt);
            Deadline limit = Deadline.in(GRACE.multipliedBy(5).toNanos());
            while (reply instanceof Heartbeat.Waiting && limit.leftNanos() > 0) {
                TimeUnit.MILLISECONDS.sleep(20);
                reply = waiter.poll(LOCK, attempt);
            }
            assertThat(reply).isInstanceOf(Heartbeat.TicketGranted.class);
            assertThat(-begin.leftNanos()).isGreaterThanOrEqualTo(GRACE.toNanos());
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void gracePeriod_begunBeforeTheClockWasSetBack_isNotLongerThanItself(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = client(emptied.uri(), "a", TIMINGS)) {
            run(uri, "UPDATE baton_epoch SET grace_until = 9000000000000000");
            Acquire.Reply reply = client.acquire(LOCK, client.next(), Acquire.Mode.TRY);
            assertThat(reply).isInstanceOf(Acquire.Recovering.class);
            assertThat(emptied.number("SELECT grace_until FROM baton_epoch"))
                    .isBetween(reply.stamp().nowMicros(), reply.stamp().nowMicros() + 2 * GRACE_MICROS);
        }
    }

    /** The record is new; the tables of an earlier revision may have been used on any server. */
    @ParameterizedTest
    @MethodSource("servers")
    void namespace_thatRecordedNoServer_waitsOnce(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri)) {
            client(emptied.uri(), "a").close();
            run(uri, "DROP TABLE baton_epoch");
            try (JdbcClient client = client(uri, "b")) {
                assertThat(client.acquire(LOCK, client.next(), Acquire.Mode.TRY))
                        .isInstanceOf(Acquire.Recovering.class);
            }
        }
    }

    /** As after a failover to a replica that knew nothing of the namespace. */
    @ParameterizedTest
    @MethodSource("servers")
    void record_thatIsMissing_countsAsForgotten(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = client(emptied.uri(), "a")) {
            run(uri, "DELETE FROM baton_epoch");
            assertThat(client.acquire(LOCK, client.next(), Acquire.Mode.TRY)).isInstanceOf(Acquire.Recovering.class);
        }
    }

    private static WriteNote noteOf(JdbcClient client, Release held, String text) {
        Note note = new Note(Protocol.firstToken(held.token()), client.next(), text.getBytes(StandardCharsets.UTF_8));
        return new WriteNote(held.resource(), held.attempt(), held.token(), note);
    }

    private static WriteNote.Reply write(JdbcClient client, WriteNote command) throws StoreFailure {
        return client.store().writeNote(command, JdbcClient.TIMEOUT_NANOS);
    }

    private static WriteNote.Reply restore(JdbcClient client, Note note) throws StoreFailure {
        return client.store().restoreNote(LOCK.name(), note, JdbcClient.TIMEOUT_NANOS);
    }

    private static NoteView read(JdbcClient client) throws StoreFailure {
        return client.store().note(LOCK.name(), JdbcClient.TIMEOUT_NANOS);
    }

    /** The write was forgotten, and its writer has released its hold since: only the note comes back. */
    @ParameterizedTest
    @MethodSource("servers")
    void forgottenNote_isPutBackInTheGracePeriod_andNotLater(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient writer = client(emptied.uri(), "a", TIMINGS);
                JdbcClient other = client(uri, "b", TIMINGS)) {
            Release held = writer.hold(LOCK);
            WriteNote first = noteOf(writer, held, "first");
            WriteNote second = noteOf(writer, held, "second");
            assertThat(write(writer, first)).isInstanceOf(WriteNote.Written.class);
            assertThat(write(writer, second)).isInstanceOf(WriteNote.Written.class);
            assertThat(restore(writer, first.note())).isInstanceOf(WriteNote.Refused.class);
            assertThat(writer.release(held)).isTrue();
            run(uri, "DELETE FROM baton_note");
            comeFromElsewhere(uri);
            NoteView view = read(other);
            assertThat(view.note()).isEmpty();
            assertThat(view.stamp().graceMicros()).isBetween(1L, GRACE_MICROS);
            assertThat(restore(writer, second.note())).isInstanceOf(WriteNote.Written.class);
            assertThat(restore(other, first.note())).isInstanceOf(WriteNote.Written.class);
            assertThat(read(other).note()).contains(second.note());
            assertThat(other.store().forgetNote(LOCK.name(), JdbcClient.TIMEOUT_NANOS))
                    .isInstanceOf(WriteNote.Recovering.class);
            Deadline limit = Deadline.in(GRACE.multipliedBy(5).toNanos());
            while (read(other).stamp().graceMicros() > 0 && limit.leftNanos() > 0) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(restore(writer, first.note())).isInstanceOf(WriteNote.Refused.class);
            assertThat(other.store().forgetNote(LOCK.name(), JdbcClient.TIMEOUT_NANOS))
                    .isInstanceOf(WriteNote.Written.class);
            assertThat(restore(writer, second.note())).isInstanceOf(WriteNote.Refused.class);
            assertThat(read(other).note()).isEmpty();
        }
    }

    /** Any of the commands may be the first on the new server. */
    @ParameterizedTest
    @MethodSource("servers")
    void command_ofANote_thatIsTheFirstAfterAFailover_beginsTheGracePeriod(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = client(emptied.uri(), "a")) {
            Release held = client.hold(LOCK);
            WriteNote write = noteOf(client, held, "after");
            String elsewhere = "SELECT count(*) FROM baton_epoch WHERE grace_until = 0";
            for (int first = 0; first < 4; first++) {
                forgetAll(uri);
                assertThat(emptied.number(elsewhere)).isEqualTo(1);
                switch (first) {
                    case 0 -> assertThat(read(client).stamp().graceMicros()).isPositive();
                    case 1 -> assertThat(write(client, write)).isInstanceOf(WriteNote.Recovering.class);
                    case 2 -> assertThat(restore(client, write.note())).isInstanceOf(WriteNote.Written.class);
                    default ->
                        assertThat(client.store().forgetNote(LOCK.name(), JdbcClient.TIMEOUT_NANOS))
                                .isInstanceOf(WriteNote.Recovering.class);
                }
                assertThat(emptied.number(elsewhere)).as("command %s", first).isZero();
            }
            assertThat(beat(client, held)).isInstanceOf(Heartbeat.Renewed.class);
            assertThat(write(client, noteOf(client, held, "at last"))).isInstanceOf(WriteNote.Written.class);
            assertThat(client.release(held)).isTrue();
        }
    }
}
