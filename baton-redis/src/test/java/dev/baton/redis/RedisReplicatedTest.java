package dev.baton.redis;

import static dev.baton.redis.Clients.MARGIN;
import static dev.baton.redis.Clients.PATIENCE;
import static dev.baton.redis.Clients.noteKey;
import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.recordKey;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.throughout;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.spi.WriteNote;
import dev.baton.tck.Mode;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.Work;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A primary whose only replica follows, or stands still. */
@Tag("serial")
@Timeout(60)
class RedisReplicatedTest {
    private static final String NAME = "replicated";
    private static final Duration A_WHILE = Duration.ofMillis(400);
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);

    /** Of a call that fails for want of replicas. */
    private static final Duration IN_VAIN = Duration.ofSeconds(2);

    /** The latter if this machine is so busy that the caller gives up before it hears of the replicas. */
    private static final String UNCONFIRMED =
            "(?s).*(0 of 1 replicas confirmed the write within|no answer from .* in time).*";

    private final Clients clients = new Clients();
    private RedisServer primary;
    private RedisServer replica;

    @BeforeEach
    void start() throws Exception {
        primary = RedisServer.builder().config("repl-diskless-sync-delay", "0").start();
        replica = RedisServer.builder().replicaOf(primary).start();
        until("the replica follows", () -> (Long) primary.command("WAIT", "1", "100") == 1);
    }

    @AfterEach
    void stop() {
        replica.resume();
        clients.close();
        replica.close();
        primary.close();
    }

    private String uri() {
        return primary.uri() + "?replicated=1";
    }

    /** Leases so long that neither a heartbeat nor an end comes into the way. */
    private static BatonOptions.Builder longLeases() {
        return options()
                .leaseTime(Duration.ofSeconds(30))
                .grace(Duration.ofSeconds(60))
                .storeTimeout(Duration.ofSeconds(20))
                .connectTimeout(Duration.ofSeconds(10));
    }

    private Baton connect() {
        return clients.connect(uri(), longLeases().build());
    }

    private static boolean has(RedisServer server, String name) {
        return (Long) server.command("EXISTS", recordKey(name)) == 1;
    }

    @Test
    void grant_isAnsweredWhenTheReplicaHasIt() throws Exception {
        Baton client = connect();
        for (int i = 0; i < 50; i++) {
            Lease lease = client.lock(NAME + i).acquire();
            assertThat(has(replica, NAME + i)).as("lock " + i).isTrue();
            lease.release();
            assertThat(has(replica, NAME + i)).as("released lock " + i).isFalse();
        }
        replica.pause();
        CompletableFuture<Lease> asked = client.lock(NAME).acquireAsync();
        until("granted by the primary", () -> has(primary, NAME));
        throughout(A_WHILE, "not believed", () -> !asked.isDone());
        replica.resume();
        asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
    }

    @Test
    @DisplayName("P7: replicasThatStandStill_makeAnAcquireFailInItsTime_andLeaveNoLock")
    void replicasThatStandStill_makeAnAcquireFailInItsTime_andLeaveNoLock() throws Exception {
        Baton client =
                clients.connect(uri(), longLeases().storeTimeout(STORE_TIMEOUT).build());
        replica.pause();
        long start = System.nanoTime();
        assertThatThrownBy(() -> client.lock(NAME).acquire())
                .isInstanceOf(StoreException.class)
                .hasMessageMatching(UNCONFIRMED);
        assertThat(since(start)).isLessThan(STORE_TIMEOUT.plus(MARGIN).multipliedBy(2));
        until("undone", () -> !has(primary, NAME));
        replica.resume();
        connect().lock(NAME).acquire().release();
        until("nothing is left", () -> RedisFixture.keys(replica, "[rq]:*") == 0);
    }

    @Test
    void heartbeat_overtakesAcquiresThatWait() throws Exception {
        try (PlainStore store = new PlainStore(uri());
                PlainStore observer = new PlainStore(primary.uri())) {
            Acquire held = store.command(NAME, 1);
            Acquire.Granted granted = (Acquire.Granted) store.acquire(held);
            replica.pause();
            Work<Acquire.Reply> waits =
                    Mode.SYNC.start(() -> store.store().acquire(store.command("other", 2), PATIENCE.toNanos()));
            until("sent", () -> has(primary, "other"));
            StoreFailure failure = catchThrowableOfType(StoreFailure.class, () -> extend(store, held, granted.token()));
            assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
            assertThat(failure).hasMessageMatching(UNCONFIRMED);
            assertThat(waits.isDone()).isFalse();
            assertThat(observer.store()
                            .inspect(NAME, PlainStore.TIMEOUT_NANOS)
                            .orElseThrow()
                            .holds()
                            .get(0)
                            .deadlineMicros())
                    .isGreaterThan(granted.deadlineMicros());
            replica.resume();
            assertThat(waits.get()).isInstanceOf(Acquire.Granted.class);
        }
    }

    private static void extend(PlainStore store, Acquire held, long token) throws StoreFailure {
        Heartbeat.Hold hold = new Heartbeat.Hold(
                held.resource(), held.attempt().value(), token, 1, PlainStore.LEASE_MICROS, 0, true, "extended");
        store.store().heartbeat(new Heartbeat(CommandNumber.of(1_000), List.of(hold), List.of()), IN_VAIN.toNanos());
    }

    @Test
    void handOff_isBelievedWhenTheReplicaHasIt() throws Exception {
        Baton first = connect();
        Baton second = connect();
        Lease lease = first.lock(NAME).acquire();
        CompletableFuture<Lease> next = second.lock(NAME).acquireAsync();
        until("queued", () -> Clients.queued(first, NAME) == 1);
        replica.pause();
        CompletableFuture<Void> released = CompletableFuture.runAsync(lease::close);
        until("handed over", () -> Clients.queued(second, NAME) == 0);
        throughout(A_WHILE, "not believed", () -> !next.isDone());
        replica.resume();
        next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
        released.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** It writes nothing, so a WAIT behind it would prove nothing. */
    @Test
    void grantThatIsRepeated_isNoProof() throws Exception {
        try (PlainStore store = new PlainStore(uri())) {
            Acquire command = store.command(NAME, 1);
            assertThat(store.acquire(command)).isInstanceOf(Acquire.Granted.class);
            StoreFailure failure = catchThrowableOfType(StoreFailure.class, () -> store.acquire(command));
            assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        }
    }

    private static boolean hasNote(RedisServer server, String text) {
        return String.valueOf(server.command("GET", noteKey(NAME))).endsWith(text);
    }

    @Test
    void note_isAcknowledgedWhenTheReplicaHasIt() throws Exception {
        try (PlainStore store = new PlainStore(uri());
                PlainStore observer = new PlainStore(primary.uri())) {
            Acquire held = store.command(NAME, 1);
            long token = ((Acquire.Granted) store.acquire(held)).token();
            for (int i = 0; i < 50; i++) {
                assertThat(store.write(held, token, i, "value " + i + '.')).isInstanceOf(WriteNote.Written.class);
                assertThat(hasNote(replica, "value " + i + '.')).as("note " + i).isTrue();
            }
            replica.pause();
            StoreFailure unknown = catchThrowableOfType(
                    StoreFailure.class,
                    () -> store.store()
                            .writeNote(
                                    new WriteNote(
                                            held.resource(),
                                            held.attempt().value(),
                                            token,
                                            PlainStore.note(token, 50, "late")),
                                    IN_VAIN.toNanos()));
            assertThat(unknown.effect()).isEqualTo(Effect.UNKNOWN);
            assertThat(unknown).hasMessageMatching(UNCONFIRMED);
            // The primary has it, and shows it.
            assertThat(observer.read(NAME).note()).contains(PlainStore.note(token, 50, "late"));
            StoreFailure forgotten =
                    catchThrowableOfType(StoreFailure.class, () -> store.store().forgetNote(NAME, IN_VAIN.toNanos()));
            assertThat(forgotten.effect()).isEqualTo(Effect.UNKNOWN);
            replica.resume();
            assertThat(store.write(held, token, 51, "last")).isInstanceOf(WriteNote.Written.class);
            assertThat(hasNote(replica, "last")).isTrue();
        }
    }

    /** From 7.2 on, a WAIT behind a command that writes nothing proves nothing. */
    @Test
    void noteThatIsWrittenAgain_isWrittenForTheReplicas() throws Exception {
        try (PlainStore store = new PlainStore(uri())) {
            Acquire held = store.command(NAME, 1);
            long token = ((Acquire.Granted) store.acquire(held)).token();
            store.write(held, token, 1, "first");
            store.write(held, token, 2, "second");
            primary.resetStats();
            for (int number : new int[] {2, 1}) {
                assertThat(store.write(held, token, number, number == 1 ? "first" : "second"))
                        .isInstanceOf(WriteNote.Written.class);
            }
            assertThat(primary.calls("set")).isEqualTo(2);
            assertThat(store.read(NAME).note()).contains(PlainStore.note(token, 2, "second"));
            assertThat(hasNote(replica, "second")).isTrue();
            // In a grace period, too: the replicas may lack the note that the server already has.
            Clients.removeEvidence(primary, Clients.bucketKey(NAME));
            primary.resetStats();
            assertThat(store.restore(NAME, PlainStore.note(token, 1, "first"))).isInstanceOf(WriteNote.Written.class);
            assertThat(primary.calls("set")).isEqualTo(1);
            assertThat(hasNote(replica, "second")).isTrue();
        }
    }

    @Test
    void tooFewReplicas_areWarnedOf() throws Exception {
        try (PlainStore store = new PlainStore(primary.uri() + "?replicated=2")) {
            assertThat(store.store().warnings())
                    .anyMatch(warning -> warning.contains("replicated=2 needs more replicas than follow")
                            && warning.contains("there are 1 now"));
        }
    }

    @Test
    void userWithoutTheRight_isRefused() throws Exception {
        String rights = RedisFixture.RIGHTS.replace("NS", StoreFixture.NAMESPACE);
        primary.command(("ACL SETUSER locks on >secret " + rights).split(" "));
        StoreFailure failure = catchThrowableOfType(
                StoreFailure.class,
                () -> new PlainStore(primary.uri().replace("redis://", "redis://locks:secret@") + "?replicated=1"));
        assertThat(failure.reason()).isEqualTo(Reason.DENIED);
        assertThat(failure).hasMessageContaining("+wait");
    }
}
