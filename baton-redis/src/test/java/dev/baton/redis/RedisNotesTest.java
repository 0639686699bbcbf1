package dev.baton.redis;

import static dev.baton.redis.Clients.bucketKey;
import static dev.baton.redis.Clients.noteKey;
import static dev.baton.redis.Clients.queueKey;
import static dev.baton.redis.Clients.recordKey;
import static dev.baton.redis.PlainStore.note;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.servers.RedisServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Notes: their keys, the records that allow them, and what a server that forgot them takes back. */
@Timeout(60)
class RedisNotesTest {
    private static final String NAME = "noted";

    private final AtomicLong micros = new AtomicLong(TimeUnit.DAYS.toMicros(20_500));
    private RedisServer server;
    private PlainStore one;
    private PlainStore two;

    /** The present hold of {@link #one}, and its token. */
    private Acquire held;

    private long token;

    @BeforeEach
    void hold() throws Exception {
        begin(RedisFixture.plain().server());
    }

    private void begin(RedisServer started) throws StoreFailure {
        server = started;
        one = open(server.uri());
        two = open(server.uri());
        held = one.command(NAME, 1);
        token = ((Acquire.Granted) one.acquire(held)).token();
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
        if (server != RedisServer.shared()) {
            server.close();
        }
    }

    /** For cases that would spoil the shared server. */
    private void useOwnServer() throws StoreFailure {
        one.close();
        two.close();
        begin(RedisServer.start());
    }

    private PlainStore open(String uri) throws StoreFailure {
        return new PlainStore(uri, Timings.DEFAULTS, micros::get);
    }

    private void expectNote(long number, String text) throws StoreFailure {
        assertThat(two.read(NAME).note()).contains(note(token, number, text));
    }

    private static Stamp expectWritten(WriteNote.Reply reply) {
        assertThat(reply).isInstanceOf(WriteNote.Written.class);
        return reply.stamp();
    }

    private static Stamp expectRecovering(WriteNote.Reply reply) {
        assertThat(reply).isInstanceOf(WriteNote.Recovering.class);
        return reply.stamp();
    }

    private String digest(String key) {
        return String.valueOf(server.command("EVAL", "return redis.sha1hex(redis.call('GET', KEYS[1]))", "1", key));
    }

    // ---- keys and commands ---------------------------------------------------------------------------------------

    @ParameterizedTest(name = "{displayName} {0}")
    @ValueSource(ints = {0, 1, 1024})
    void note_isOneKeyOf17BytesAndItsValue_andNeverExpires(int length) throws Exception {
        expectWritten(one.write(held, token, 1, "x".repeat(length)));
        assertThat(server.command("TTL", noteKey(NAME))).isEqualTo(-1L);
        assertThat(server.command("STRLEN", noteKey(NAME))).isEqualTo(17L + length);
        System.out.println("a note of " + length + " bytes takes " + server.command("MEMORY", "USAGE", noteKey(NAME))
                + " bytes with its key of " + noteKey(NAME).length());
        one.release(held, token);
        assertThat(RedisFixture.keys(server, "[rqgn]:*")).isEqualTo(1);
        expectNote(1, "x".repeat(length));
        assertThat(two.forget(NAME)).isInstanceOf(WriteNote.Written.class);
        assertThat(RedisFixture.keys(server, "[rqgn]:*")).isZero();
    }

    @Test
    void noteCommand_isOneCall() throws Exception {
        server.resetStats();
        one.write(held, token, 1, "value");
        expectCalls(1, 2, 1);
        one.read(NAME);
        expectCalls(2, 3, 1);
        one.forget(NAME);
        expectCalls(3, 4, 1);
        assertThat(server.calls("del")).isEqualTo(1);
        assertThat(server.calls("hget")).isEqualTo(3);
    }

    private void expectCalls(long scripts, long gets, long sets) {
        assertThat(server.calls("evalsha")).isEqualTo(scripts);
        assertThat(server.calls("get")).isEqualTo(gets);
        assertThat(server.calls("set")).isEqualTo(sets);
    }

    @Test
    void scriptThatTheServerForgot_isSentAgain() throws Exception {
        server.command("SCRIPT", "FLUSH");
        expectWritten(one.write(held, token, 1, "value"));
        server.command("SCRIPT", "FLUSH");
        expectNote(1, "value");
    }

    @ParameterizedTest(name = "{displayName} {0} {1}")
    @CsvSource({
        "9007199254740992, 9007199254740993",
        "4294967295, 4294967296",
        "4294967296, 4294967297",
        "2147483647, 2147483648",
        "9223372036854775806, 9223372036854775807",
        "-1, 0",
        "-4294967297, -4294967296",
        "-9223372036854775808, 9223372036854775807"
    })
    void numbers_areExact_alsoWhereDoublesAreNot(long older, long newer) throws Exception {
        one.write(held, token, newer, "newer");
        expectWritten(one.write(held, token, older, "older"));
        expectNote(newer, "newer");
        two.forget(NAME);
        one.write(held, token, older, "older");
        expectNote(older, "older");
        expectWritten(one.write(held, token, newer, "newer"));
        expectNote(newer, "newer");
    }

    @Test
    void publicTokens_areExact_upToTheGreatest() throws Exception {
        long most = (1L << 53) - 1;
        expectWritten(one.write(held, token, new Note(most - 1, 9, new byte[0])));
        expectWritten(one.write(held, token, new Note(most, 1, new byte[0])));
        assertThat(one.write(held, token, new Note(most - 1, 10, new byte[0]))).isInstanceOf(WriteNote.Refused.class);
        assertThat(two.read(NAME).note()).contains(new Note(most, 1, new byte[0]));
    }

    // ---- records -------------------------------------------------------------------------------------------------

    private enum Form {
        ALONE(1),
        WITH_A_WAITER(2),
        PACKED(0);

        private final int first;

        Form(int first) {
            this.first = first;
        }
    }

    /** Brings the record into a form; its holder may still write. */
    private void bring(Form form) throws StoreFailure {
        if (form == Form.PACKED) {
            one.release(held, token);
            Resource resource = Resource.readWrite(NAME);
            Acquire asked = one.command(NAME, 1);
            held = new Acquire(
                    resource, asked.attempt(), resource.capacity(), PlainStore.LEASE_MICROS, 0, "w", asked.mode(), 1);
            token = ((Acquire.Granted) one.acquire(held)).token();
        }
        if (form != Form.ALONE) {
            Acquire waits = two.command(NAME, 1);
            assertThat(two.acquire(new Acquire(
                            held.resource(),
                            waits.attempt(),
                            held.weight(),
                            PlainStore.LEASE_MICROS,
                            0,
                            "waits",
                            waits.mode(),
                            1)))
                    .isInstanceOf(Acquire.Queued.class);
        }
        long first =
                (Long) server.command("EVAL", "return string.byte(redis.call('GET', KEYS[1]))", "1", recordKey(NAME));
        assertThat(first <= 2 ? first : 0).isEqualTo(form.first);
    }

    @ParameterizedTest(name = "{displayName} {0}")
    @EnumSource
    void write_readsARecordOfEachForm_andChangesNone(Form form) throws Exception {
        bring(form);
        String before = digest(recordKey(NAME));
        expectWritten(one.write(held, token, 1, "value"));
        assertThat(one.write(held, token + 1, 2, "other token")).isInstanceOf(WriteNote.Refused.class);
        assertThat(two.write(held, token, 3, "other client")).isInstanceOf(WriteNote.Refused.class);
        Acquire another = one.command(NAME, 1);
        another.attempt().value();
        assertThat(one.write(another, token, 4, "other attempt")).isInstanceOf(WriteNote.Refused.class);
        micros.addAndGet(PlainStore.LEASE_MICROS - 1);
        expectWritten(one.write(held, token, 5, "last"));
        micros.incrementAndGet();
        assertThat(one.write(held, token, 6, "too late")).isInstanceOf(WriteNote.Refused.class);
        expectNote(5, "last");
        assertThat(digest(recordKey(NAME))).as("not advanced").isEqualTo(before);
    }

    // ---- what a server forgot ------------------------------------------------------------------------------------

    /** The replica takes over before it hears of the last write. */
    @Test
    void noteThatAFailoverLost_isPutBackInTheGracePeriod_andAnEarlierOneIsNot() throws Exception {
        useOwnServer();
        try (RedisServer replica = RedisServer.builder().replicaOf(server).start()) {
            expectWritten(one.write(held, token, 1, "first"));
            Clients.until("replicated", () -> (Long) replica.command("EXISTS", noteKey(NAME)) == 1);
            replica.command("REPLICAOF", "NO", "ONE");
            expectWritten(one.write(held, token, 2, "second"));
            try (PlainStore writer = open(replica.uri())) {
                NoteView lost = writer.read(NAME);
                assertThat(lost.stamp().graceMicros()).isPositive();
                assertThat(lost.note()).contains(note(token, 1, "first"));
                expectRecovering(writer.forget(NAME));
                expectWritten(writer.restore(NAME, note(token, 2, "second")));
                assertThat(writer.read(NAME).note()).contains(note(token, 2, "second"));
                for (Note earlier : List.of(note(token, 1, "first"), note(token - 1, 3, "of a lease before"))) {
                    expectWritten(writer.restore(NAME, earlier));
                    assertThat(writer.read(NAME).note()).contains(note(token, 2, "second"));
                }
                assertThat(replica.command("TTL", noteKey(NAME))).isEqualTo(-1L);
                micros.addAndGet(Timings.DEFAULTS.graceMicros());
                assertThat(writer.restore(NAME, note(token, 3, "too late"))).isInstanceOf(WriteNote.Refused.class);
                assertThat(writer.read(NAME).note()).contains(note(token, 2, "second"));
                assertThat(writer.read(NAME).stamp().graceMicros()).isZero();
            }
        }
    }

    private enum Operation {
        READ {
            @Override
            Stamp run(RedisNotesTest test) throws StoreFailure {
                return test.one.read(NAME).stamp();
            }
        },
        WRITE {
            @Override
            Stamp run(RedisNotesTest test) throws StoreFailure {
                return expectRecovering(test.one.write(test.held, test.token, 2, "value"));
            }
        },
        RESTORE {
            @Override
            Stamp run(RedisNotesTest test) throws StoreFailure {
                return expectWritten(test.one.restore(NAME, note(test.token, 1, "value")));
            }
        },
        FORGET {
            @Override
            Stamp run(RedisNotesTest test) throws StoreFailure {
                return expectRecovering(test.one.forget(NAME));
            }
        };

        abstract Stamp run(RedisNotesTest test) throws StoreFailure;
    }

    @ParameterizedTest(name = "{displayName} {0}")
    @EnumSource
    void forgottenBucket_beginsItsGracePeriod_withEachCommand(Operation operation) throws Exception {
        server.command("DEL", bucketKey(NAME), recordKey(NAME), bucketKey("another"));
        assertThat(operation.run(this).graceMicros()).isEqualTo(Timings.DEFAULTS.graceMicros());
        assertThat(server.command("HEXISTS", bucketKey("another"), "e"))
                .as("the client has the server look at all buckets")
                .isEqualTo(1L);
        micros.addAndGet(1_000_000);
        assertThat(two.read(NAME).stamp().graceMicros()).isEqualTo(Timings.DEFAULTS.graceMicros() - 1_000_000);
    }

    @Test
    void write_inAGracePeriod_withItsHoldPresent_isAccepted_andByADeadHoldHasToWait() throws Exception {
        Clients.removeEvidence(server, bucketKey(NAME));
        assertThat(expectWritten(one.write(held, token, 1, "value")).graceMicros())
                .isPositive();
        expectNote(1, "value");
        micros.addAndGet(PlainStore.LEASE_MICROS);
        assertThat(one.write(held, token, 2, "too late")).isInstanceOf(WriteNote.Recovering.class);
    }

    @Test
    void grace_thatIsOff_takesNothingBack() throws Exception {
        server.command("FLUSHALL");
        try (PlainStore off = open(server.uri() + "?grace=off")) {
            Acquire asked = off.command(NAME, 1);
            long drawn = ((Acquire.Granted) off.acquire(asked)).token();
            expectWritten(off.write(asked, drawn, 1, "value"));
            server.command("DEL", bucketKey(NAME));
            assertThat(off.restore(NAME, note(drawn, 2, "later"))).isInstanceOf(WriteNote.Refused.class);
            assertThat(off.read(NAME).note()).contains(note(drawn, 1, "value"));
        }
    }

    // ---- foreign keys, and full memory ---------------------------------------------------------------------------

    private static void expectUnfit(String words, ThrowingCallable call) {
        StoreFailure failure = catchThrowableOfType(StoreFailure.class, call);
        assertThat(failure.effect()).isEqualTo(Effect.NONE);
        assertThat(failure.reason()).isEqualTo(Reason.UNFIT);
        assertThat(failure).hasMessageContaining(words);
    }

    @ParameterizedTest(name = "{displayName} {0}")
    @ValueSource(strings = {"list", "hash", "text", "short", "long"})
    void noteKey_ofAnotherType_isNamedAndLeftAlone(String what) throws Exception {
        switch (what) {
            case "list" -> server.command("LPUSH", noteKey(NAME), "mine");
            case "hash" -> server.command("HSET", noteKey(NAME), "mine", "1");
            case "text" -> server.command("SET", noteKey(NAME), "mine, and longer than a note's head");
            case "short" -> server.command("SET", noteKey(NAME), "\1" + "x".repeat(15));
            default -> server.command("SET", noteKey(NAME), "\1" + "x".repeat(16 + Note.MAX_BYTES + 1));
        }
        Object before = server.command("EVAL", "return redis.sha1hex(redis.call('DUMP', KEYS[1]))", "1", noteKey(NAME));
        // Also while a grace period begins.
        Clients.removeEvidence(server, bucketKey(NAME));
        expectUnfit("holds something else", () -> one.read(NAME));
        expectUnfit("holds something else", () -> one.write(held, token, 1, "value"));
        expectUnfit("holds something else", () -> one.restore(NAME, note(token, 1, "value")));
        expectUnfit("holds something else", () -> one.forget(NAME));
        assertThat(server.command("HEXISTS", bucketKey(NAME), "e")).isEqualTo(0L);
        assertThat(server.command("EVAL", "return redis.sha1hex(redis.call('DUMP', KEYS[1]))", "1", noteKey(NAME)))
                .isEqualTo(before);
        assertThat(one.release(held, token)).isTrue();
        server.command("DEL", noteKey(NAME));
        assertThat(two.read(NAME).note()).isEmpty();
    }

    @Test
    void recordOrBucket_ofAnotherType_isNamedAndLeftAlone() throws Exception {
        expectWritten(one.write(held, token, 1, "value"));
        server.command("SET", recordKey(NAME), "mine");
        expectUnfit("holds something else", () -> one.write(held, token, 2, "later"));
        server.command("DEL", recordKey(NAME));
        server.command("LPUSH", recordKey(NAME), "mine");
        expectUnfit("holds something else", () -> one.write(held, token, 2, "later"));
        expectNote(1, "value");
        server.command("SET", bucketKey(NAME), "mine");
        expectUnfit("holds something else", () -> one.write(held, token, 2, "later"));
        expectUnfit("holds something else", () -> one.read(NAME));
        expectUnfit("holds something else", () -> one.restore(NAME, note(token, 2, "later")));
        expectUnfit("holds something else", () -> one.forget(NAME));
        assertThat(server.command("GET", bucketKey(NAME))).isEqualTo("mine");
        assertThat(server.command("EXISTS", noteKey(NAME), queueKey(NAME))).isEqualTo(1L);
    }

    @Test
    void fullMemory_refusesNotes_andShowsForgetsAndPutsBackThoseThatAre() throws Exception {
        useOwnServer();
        expectWritten(one.write(held, token, 1, "value"));
        server.command("SET", "ballast", "x".repeat(4_000_000));
        server.command("CONFIG", "SET", "maxmemory", "2mb");
        for (long step : new long[] {0, 2_000_000}) {
            // The second time, the server has to look for evidence, too.
            micros.addAndGet(step);
            expectUnfit("memory is full", () -> one.write(held, token, 2, "later"));
            expectNote(1, "value");
        }
        micros.addAndGet(2_000_000);
        expectWritten(two.forget(NAME));
        Clients.removeEvidence(server, bucketKey(NAME));
        expectWritten(one.restore(NAME, note(token, 1, "value")));
        expectNote(1, "value");
    }
}
