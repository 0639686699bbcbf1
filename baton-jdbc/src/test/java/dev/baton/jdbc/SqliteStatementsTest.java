package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The statements that each command sends to the database, and the handling of its errors. */
class SqliteStatementsTest {
    private static final Resource LOCK = Resource.lock("lock");
    private static final int SQLITE_BUSY = 5;
    private static final int SQLITE_READONLY = 8;
    private static final int SQLITE_IOERR = 10;

    /** By the real clock, a sweep would fall due a second after the first command. */
    private final AtomicLong clock = new AtomicLong(TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));

    private final CountingConnection counting = new CountingConnection();
    private SqliteFixture fixture;
    private JdbcClient client;

    @BeforeEach
    void open() throws Exception {
        fixture = new SqliteFixture();
        // It advances far enough for another token.
        client = new JdbcClient(new Opening(
                        JdbcClient.config(fixture.uri(), "a", Timings.DEFAULTS),
                        counting::around,
                        () -> clock.addAndGet(100))
                .open());
        client.release(client.hold(Resource.lock("warm up")));
        counting.clear();
    }

    @AfterEach
    void close() throws Exception {
        counting.fail(sql -> false, 0);
        client.close();
        fixture.close();
    }

    @Test
    @DisplayName("P27: uncontendedPair_ofNewOrKnownName_takesTwoStatements")
    void uncontendedPair_ofNewOrKnownName_takesTwoStatements() throws Exception {
        for (int i = 0; i < 3; i++) {
            counting.clear();
            Release held = client.hold(LOCK);
            assertThat(counting.executed()).hasSize(1).allMatch(sql -> sql.startsWith("INSERT INTO baton_lease"));
            client.release(held);
            assertThat(counting.executed()).hasSize(2);
            assertThat(counting.executed().get(1)).startsWith("UPDATE baton_lease");
        }
    }

    @Test
    @DisplayName("P29: manyPairs_withTheirSweeps_takeLittleMoreThanTwoStatementsEach")
    void manyPairs_withTheirSweeps_takeLittleMoreThanTwoStatementsEach() throws Exception {
        int pairs = 2_000;
        for (int i = 0; i < pairs; i++) {
            client.release(client.hold(Resource.lock("name " + i)));
        }
        assertThat(counting.executed()).hasSizeLessThan(pairs * 2 + pairs / 8);
    }

    @Test
    void poll_ofWaitingTicket_readsOnlyAndIsOneStatement() throws Exception {
        client.hold(LOCK);
        long attempt = client.next();
        client.acquire(LOCK, attempt, Acquire.Mode.QUEUE);
        client.poll(LOCK, attempt);
        counting.clear();
        assertThat(client.poll(LOCK, attempt)).isInstanceOf(Heartbeat.Waiting.class);
        assertThat(counting.executed()).hasSize(1).allMatch(sql -> sql.startsWith("SELECT"));
    }

    @Test
    void try_thatIsRefused_writesNothing() throws Exception {
        client.hold(LOCK);
        counting.clear();
        assertThat(client.acquire(LOCK, client.next(), Acquire.Mode.TRY)).isInstanceOf(Acquire.Held.class);
        assertThat(counting.executed()).noneMatch(sql -> sql.startsWith("BEGIN"));
    }

    @Test
    void releaseAll_ofHoldsNobodyWaitsFor_takesOneStatementEachInOneTransaction() throws Exception {
        List<Release> holds = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            holds.add(client.hold(Resource.lock("name " + i)));
        }
        counting.clear();
        assertThat(client.store().releaseAll(holds, JdbcClient.TIMEOUT_NANOS)).allMatch(Release.Reply::released);
        assertThat(counting.executed().stream().filter(sql -> sql.startsWith("BEGIN")))
                .hasSize(1);
        assertThat(counting.executed().stream().filter(sql -> sql.startsWith("UPDATE")))
                .hasSize(10);
    }

    @Test
    @DisplayName("P22: busyDatabase_untilTheTimeIsOver_hadNoEffect")
    void busyDatabase_untilTheTimeIsOver_hadNoEffect() {
        counting.fail(sql -> sql.startsWith("INSERT INTO baton_lease"), SQLITE_BUSY);
        StoreFailure failure = catchThrowableOfType(
                StoreFailure.class, () -> client.acquire(LOCK, client.next(), Acquire.Mode.TRY, 50_000_000));
        assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE);
        assertThat(failure).hasMessageContaining("busy").hasMessageContaining("locks.db");
        assertThat(counting.executed()).hasSizeGreaterThan(1);
    }

    @Test
    @DisplayName("P22: readOnlyDatabase_whenWriting_saysWhatToChange")
    void readOnlyDatabase_whenWriting_saysWhatToChange() throws Exception {
        counting.fail(sql -> sql.startsWith("INSERT INTO baton_lease"), SQLITE_READONLY);
        StoreFailure failure = catchThrowableOfType(StoreFailure.class, () -> client.hold(LOCK));
        assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE);
        assertThat(failure).hasMessageContaining("read-only").hasMessageContaining("write access");
        counting.fail(sql -> false, 0);
        client.hold(LOCK);
    }

    @Test
    void errorOfUnknownKind_inAutocommit_mayHaveHadAnEffect() {
        counting.fail(sql -> sql.startsWith("INSERT INTO baton_lease"), SQLITE_IOERR);
        StoreFailure failure = catchThrowableOfType(StoreFailure.class, () -> client.hold(LOCK));
        assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN);
    }

    @Test
    void errorInsideTransaction_beforeItsCommit_hadNoEffect() throws Exception {
        client.hold(LOCK);
        counting.fail(sql -> sql.startsWith("INSERT INTO baton_ticket"), SQLITE_IOERR);
        StoreFailure failure =
                catchThrowableOfType(StoreFailure.class, () -> client.acquire(LOCK, client.next(), Acquire.Mode.QUEUE));
        assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE);
        assertThat(fixture.number("SELECT waiters FROM baton_lease WHERE name = CAST('lock' AS BLOB)"))
                .isZero();
    }

    @Test
    void errorOfCommit_ofAnyKind_mayHaveHadAnEffect() throws Exception {
        client.hold(LOCK);
        counting.fail(sql -> sql.equals("COMMIT"), SQLITE_BUSY);
        StoreFailure failure =
                catchThrowableOfType(StoreFailure.class, () -> client.acquire(LOCK, client.next(), Acquire.Mode.QUEUE));
        assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN);
        counting.fail(sql -> false, 0);
        assertThat(client.acquire(LOCK, client.next(), Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
    }
}
