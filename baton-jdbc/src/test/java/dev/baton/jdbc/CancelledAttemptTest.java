package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Resource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A cancelled attempt is never granted, however late or early its acquire arrives. */
class CancelledAttemptTest {
    private static final int TIMES = Boolean.getBoolean("baton.nightly") ? 1_000 : 60;

    @TempDir
    private static Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountingConnection cancelling = new CountingConnection();

    static Stream<String> databases() {
        return Stream.concat(Stream.of("jdbc:sqlite:" + directory.resolve("locks.db")), servers());
    }

    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri(), H2Server.newUri());
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** One client: its acquires go through one store, its cancels through another. */
    private final class Client implements AutoCloseable {
        final JdbcClient acquires;
        final JdbcClient cancels;
        final String prefix;

        Client(String uri) throws Exception {
            String id = UUID.randomUUID().toString();
            acquires = new JdbcClient(new JdbcStoreProvider(), uri, id);
            cancels = new JdbcClient(new JdbcStoreProvider(cancelling::around), uri, id);
            prefix = id;
        }

        /** Creates a lock that was used before, or one that was not. */
        Resource lock(int i) throws Exception {
            Resource lock = Resource.lock(prefix + " " + i);
            if (i % 2 == 0) {
                acquires.release(acquires.hold(lock));
            }
            return lock;
        }

        Acquire.Reply acquire(Resource lock, long attempt) throws Exception {
            return acquires.acquire(lock, attempt, attempt % 3 == 0 ? Acquire.Mode.QUEUE : Acquire.Mode.TRY);
        }

        void cancel(Resource lock, long attempt) throws Exception {
            cancels.store()
                    .cancel(
                            new Cancel(lock, attempt, CommandNumber.of(acquires.next())),
                            TimeUnit.SECONDS.toNanos(Waiting.LIMIT_SECONDS));
        }

        void assertNothingIsLeftOf(Resource lock) throws Exception {
            assertThat(acquires.store().inspect(lock.name(), JdbcClient.TIMEOUT_NANOS))
                    .as("what the store knows of %s", lock)
                    .isEmpty();
        }

        @Override
        public void close() {
            acquires.close();
            cancels.close();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("P9: acquire_afterItsCancel_isStale")
    void acquire_afterItsCancel_isStale(String uri) throws Exception {
        try (Client client = new Client(uri)) {
            for (int i = 0; i < TIMES; i++) {
                Resource lock = client.lock(i);
                long attempt = client.acquires.next();
                client.cancel(lock, attempt);
                assertThat(client.acquire(lock, attempt)).isInstanceOf(Acquire.Stale.class);
                client.assertNothingIsLeftOf(lock);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("P9: acquire_whileItsCancelHasReadTheClockAndNotCommitted_isStale")
    void acquire_whileItsCancelHasReadTheClockAndNotCommitted_isStale(String uri) throws Exception {
        try (Client client = new Client(uri)) {
            for (int i = 0; i < TIMES; i++) {
                Resource lock = client.lock(i);
                long attempt = client.acquires.next();
                CountDownLatch commits = new CountDownLatch(1);
                CountDownLatch goesOn = new CountDownLatch(1);
                cancelling.before(sql -> {
                    if (sql.equals("COMMIT")) {
                        commits.countDown();
                        Waiting.await(goesOn);
                    }
                });
                Future<?> cancel = threads.submit(() -> {
                    client.cancel(lock, attempt);
                    return null;
                });
                Waiting.await(commits);
                Future<Acquire.Reply> acquire = threads.submit(() -> client.acquire(lock, attempt));
                giveAChance(acquire);
                goesOn.countDown();
                cancel.get(Waiting.LIMIT_SECONDS, TimeUnit.SECONDS);
                assertThat(acquire.get(Waiting.LIMIT_SECONDS, TimeUnit.SECONDS)).isInstanceOf(Acquire.Stale.class);
                client.assertNothingIsLeftOf(lock);
            }
        }
    }

    /** Either may come first after the row is free. */
    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P9: acquireAndItsCancel_thatWaitForARow_leaveNothing")
    void acquireAndItsCancel_thatWaitForARow_leaveNothing(String uri) throws Exception {
        try (Client client = new Client(uri);
                Connection other = DriverManager.getConnection(uri)) {
            other.setAutoCommit(false);
            for (int i = 0; i < TIMES / 2; i++) {
                Resource lock = client.lock(2 * i);
                long attempt = client.acquires.next();
                block(other, lock.name());
                Future<?> acquire = null;
                if (i % 2 == 0) {
                    acquire = threads.submit(() -> client.acquire(lock, attempt));
                    giveAChance(acquire);
                }
                Future<?> cancel = threads.submit(() -> {
                    client.cancel(lock, attempt);
                    return null;
                });
                giveAChance(cancel);
                if (acquire == null) {
                    acquire = threads.submit(() -> client.acquire(lock, attempt));
                    giveAChance(acquire);
                }
                other.rollback();
                cancel.get(Waiting.LIMIT_SECONDS, TimeUnit.SECONDS);
                acquire.get(Waiting.LIMIT_SECONDS, TimeUnit.SECONDS);
                client.assertNothingIsLeftOf(lock);
            }
        }
    }

    private static void block(Connection connection, String name) throws Exception {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT seat FROM baton_lease WHERE name = ? FOR UPDATE")) {
            statement.setBytes(1, Utf8.bytes(name));
            statement.executeQuery().close();
        }
    }

    /** Lets the call reach the server. If it is too late, the order is another one, which must also be right. */
    private static void giveAChance(Future<?> call) throws InterruptedException, ExecutionException {
        try {
            call.get(4, TimeUnit.MILLISECONDS);
        } catch (TimeoutException itWaits) {
            // The expected outcome.
        }
    }
}
