package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Notes in tables: their statements, and a write while its hold ends. */
class NoteTest {
    private static final Resource LOCK = Resource.lock("noted");

    /** A round whose release waits for its write, and one whose write waits for its release; in the others they race. */
    private static final int WRITTEN_FIRST = 0;

    private static final int RELEASED_FIRST = 1;
    private static final int ROUNDS = Boolean.getBoolean("baton.nightly") ? 2_000 : 80;

    @TempDir
    private static Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SplittableRandom random = new SplittableRandom(7);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** At REPEATABLE READ a transaction that waited for a row sees the rows of before. */
    static Stream<String> servers() {
        return Stream.of(
                PostgresServer.shared().uri(),
                PostgresServer.shared().uri() + "&options=-c%20default_transaction_isolation=repeatable%5C%20read",
                MariaServer.shared().uri(),
                H2Server.newUri());
    }

    static Stream<String> databases() {
        return Stream.concat(Stream.of("jdbc:sqlite:" + directory.resolve("locks.db")), servers());
    }

    private static void empty(String uri) throws SQLException {
        new ServerFixture(uri).close();
    }

    private static JdbcClient client(String uri, String id, CountingConnection watched) throws Exception {
        return new JdbcClient(new JdbcStoreProvider(watched::around), uri, id);
    }

    private static WriteNote noteOf(JdbcClient client, Release held, String text) {
        Note note = new Note(Protocol.firstToken(held.token()), client.next(), text.getBytes(StandardCharsets.UTF_8));
        return new WriteNote(held.resource(), held.attempt(), held.token(), note);
    }

    private static WriteNote.Reply write(JdbcClient client, WriteNote command) throws StoreFailure {
        return client.store().writeNote(command, JdbcClient.TIMEOUT_NANOS);
    }

    private static Optional<Note> read(JdbcClient client) throws StoreFailure {
        return client.store().note(LOCK.name(), JdbcClient.TIMEOUT_NANOS).note();
    }

    /** Polls until the ticket is granted, and returns the command that releases it. */
    private static Release granted(JdbcClient client, long attempt) throws StoreFailure {
        Heartbeat.TicketReply reply = client.poll(LOCK, attempt);
        while (reply instanceof Heartbeat.Waiting) {
            reply = client.poll(LOCK, attempt);
        }
        assertThat(reply).isInstanceOf(Heartbeat.TicketGranted.class);
        long token = ((Heartbeat.TicketGranted) reply).token();
        return new Release(LOCK, attempt, token, new CommandNumber(client::next));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void read_takesOneStatement_andWriteOneTransactionOfAFew(String uri) throws Exception {
        CountingConnection counting = new CountingConnection();
        try (JdbcClient client = client(uri, "a", counting)) {
            Release held = client.hold(LOCK);
            write(client, noteOf(client, held, "first"));
            // SQLite reads on a connection of its own.
            read(client);
            counting.clear();
            assertThat(read(client)).isPresent();
            assertThat(counting.executed()).hasSize(1);
            client.store().note("unknown", JdbcClient.TIMEOUT_NANOS);
            assertThat(counting.executed()).hasSize(2).allMatch(sql -> sql.startsWith("SELECT n.token"));
            counting.clear();
            assertThat(write(client, noteOf(client, held, "second"))).isInstanceOf(WriteNote.Written.class);
            List<String> writing = counting.executed();
            // The lock of the row, where it is needed, and four more: the row, the note, the new note, and the ends.
            assertThat(writing).hasSize(uri.startsWith("jdbc:sqlite:") ? 5 : 6);
            assertThat(writing.get(0)).startsWith("BEGIN");
            assertThat(writing.stream().filter(sql -> sql.contains("baton_lease")))
                    .allMatch(sql -> sql.startsWith("SELECT"));
            assertThat(writing.get(writing.size() - 1)).isEqualTo("COMMIT");
            assertThat(client.release(held)).isTrue();
        }
    }

    /** The write has seen its hold, and pauses before it writes: the hold must not end before. */
    @ParameterizedTest
    @MethodSource("servers")
    void release_waitsForAWriteThatHasSeenItsHold(String uri) throws Exception {
        empty(uri);
        CountingConnection pausing = new CountingConnection();
        try (JdbcClient holder = client(uri, "a", pausing);
                JdbcClient next = client(uri, "b", new CountingConnection())) {
            Release held = holder.hold(LOCK);
            WriteNote write = noteOf(holder, held, "the last");
            CountDownLatch seen = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch sent = new CountDownLatch(1);
            pausing.before(sql -> {
                if (sql.contains("INTO baton_note")) {
                    seen.countDown();
                    awaitQuietly(go);
                } else if (seen.getCount() == 0 && sql.contains("baton_lease")) {
                    sent.countDown();
                }
            });
            Future<WriteNote.Reply> writing = threads.submit(() -> write(holder, write));
            assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
            Future<Boolean> releasing = threads.submit(() -> holder.release(held));
            // The release is on its way. The pause is short, because a server ends a transaction that pauses for a
            // second.
            assertThat(sent.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(catchThrowableOfType(TimeoutException.class, () -> releasing.get(50, TimeUnit.MILLISECONDS)))
                    .isNotNull();
            go.countDown();
            assertThat(releasing.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(writing.get(10, TimeUnit.SECONDS)).isInstanceOf(WriteNote.Written.class);
            Release taken = next.hold(LOCK);
            assertThat(read(next)).contains(write.note());
            next.release(taken);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The heir reads as soon as it is granted: a write that it has not seen by then must never be seen. */
    @ParameterizedTest
    @MethodSource("servers")
    void write_thatRacesWithAHandOver_isSeenByTheHeir_orRefused(String uri) throws Exception {
        empty(uri);
        CountingConnection slow = new CountingConnection();
        slow.before(sql -> {
            if (sql.contains("baton_note") || sql.contains("FOR UPDATE")) {
                LockSupport.parkNanos(pause());
            }
        });
        Set<Integer> written = new TreeSet<>();
        try (JdbcClient writer = client(uri, "a", slow);
                JdbcClient heir = client(uri, "b", new CountingConnection());
                // The same client, as far as the database knows: its other thread releases.
                JdbcClient releaser = client(uri, "a", new CountingConnection())) {
            for (int round = 0; round < ROUNDS; round++) {
                Release held = writer.hold(LOCK);
                WriteNote write = noteOf(writer, held, "round " + round);
                long attempt = heir.next();
                assertThat(heir.acquire(LOCK, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
                CountDownLatch wrote = new CountDownLatch(round == WRITTEN_FIRST ? 1 : 0);
                CountDownLatch released = new CountDownLatch(round == RELEASED_FIRST ? 1 : 0);
                Future<WriteNote.Reply> writing = threads.submit(() -> {
                    awaitQuietly(released);
                    WriteNote.Reply reply = write(writer, write);
                    wrote.countDown();
                    return reply;
                });
                long later = 2 * pause();
                Future<Boolean> releasing = threads.submit(() -> {
                    awaitQuietly(wrote);
                    LockSupport.parkNanos(later);
                    boolean done = releaser.release(held);
                    released.countDown();
                    return done;
                });
                Release taken = granted(heir, attempt);
                Optional<Note> seen = read(heir);
                WriteNote.Reply reply = writing.get(10, TimeUnit.SECONDS);
                assertThat(releasing.get(10, TimeUnit.SECONDS)).isTrue();
                assertThat(read(heir)).as("round %s: %s", round, reply).isEqualTo(seen);
                assertThat(seen.filter(write.note()::equals).isPresent())
                        .as("round %s: %s", round, reply)
                        .isEqualTo(reply instanceof WriteNote.Written);
                if (reply instanceof WriteNote.Written) {
                    written.add(round);
                }
                heir.release(taken);
            }
        }
        System.out.println(uri + ": " + written.size() + " of " + ROUNDS + " notes came before the hand-over");
        assertThat(written).contains(WRITTEN_FIRST).doesNotContain(RELEASED_FIRST);
    }

    private long pause() {
        synchronized (random) {
            return random.nextLong(TimeUnit.MILLISECONDS.toNanos(3));
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void row_thatOthersKeepLocked_delaysWritesOfItsNote_andNoReads(String uri) throws Exception {
        empty(uri);
        try (JdbcClient client = client(uri, "a", new CountingConnection());
                Connection other = DriverManager.getConnection(uri)) {
            Release held = client.hold(LOCK);
            write(client, noteOf(client, held, "before"));
            other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            other.setAutoCommit(false);
            lockAll(other);
            assertThat(read(client)).isPresent();
            WriteNote write = noteOf(client, held, "after");
            // H2 does not end a statement in time: the last of this call must not begin shortly before the call's end.
            StoreFailure late = catchThrowableOfType(
                    StoreFailure.class, () -> client.store().writeNote(write, TimeUnit.MILLISECONDS.toNanos(1_700)));
            assertThat(late.effect()).isEqualTo(StoreFailure.Effect.NONE);
            assertThat(late.reason()).isEqualTo(StoreFailure.Reason.UNREACHABLE);
            other.rollback();
            assertThat(write(client, write)).isInstanceOf(WriteNote.Written.class);
            assertThat(client.release(held)).isTrue();
        }
    }

    /** The time of the call ends during a check of the row, and a check changes nothing. */
    @ParameterizedTest
    @MethodSource("servers")
    void write_whoseLastCheckOfTheRowIsNotAnswered_hasHadNoEffect(String uri) throws Exception {
        empty(uri);
        CountingConnection slow = new CountingConnection();
        try (JdbcClient client = client(uri, "a", slow);
                Connection other = DriverManager.getConnection(uri)) {
            Release held = client.hold(LOCK);
            other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            other.setAutoCommit(false);
            lockAll(other);
            slow.before(sql -> {
                if (sql.contains("SKIP LOCKED")) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                }
            });
            WriteNote write = noteOf(client, held, "late");
            StoreFailure late = catchThrowableOfType(
                    StoreFailure.class, () -> client.store().writeNote(write, TimeUnit.MILLISECONDS.toNanos(1_700)));
            assertThat(late.effect()).isEqualTo(StoreFailure.Effect.NONE);
            assertThat(late.reason()).isEqualTo(StoreFailure.Reason.UNREACHABLE);
            other.rollback();
            assertThat(read(client)).isEmpty();
            assertThat(client.release(held)).isTrue();
        }
    }

    private static void lockAll(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT token FROM baton_lease FOR UPDATE")) {
            assertThat(rows.next()).isTrue();
        }
    }
}
