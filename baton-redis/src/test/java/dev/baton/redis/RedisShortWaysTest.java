package dev.baton.redis;

import static dev.baton.redis.Clients.bucketKey;
import static dev.baton.redis.Clients.queueKey;
import static dev.baton.redis.Clients.recordKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.servers.RedisServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The short ways of contended commands, at the edges of what they may assume. Each case fails if a short way does not
 * look at one of its conditions.
 */
@Timeout(60)
class RedisShortWaysTest {
    private static final String NAME = "contended";
    private static final long PRESENCE = Timings.DEFAULTS.presenceMicros();
    private static final long GRACE = Timings.DEFAULTS.graceMicros();
    private static final long LONG_LEASE = TimeUnit.MINUTES.toMicros(10);

    private final AtomicLong micros = new AtomicLong(TimeUnit.DAYS.toMicros(20_500));
    private RedisServer server;
    private final List<PlainStore> stores = new ArrayList<>();
    private PlainStore one;
    private PlainStore two;
    private PlainStore three;

    /** The present hold of {@link #one}, and its token. */
    private Acquire held;

    private long token;

    @BeforeEach
    void queueTwo() throws Exception {
        server = RedisFixture.plain().server();
        one = open();
        two = open();
        three = open();
        for (PlainStore each : stores) {
            // Known to the bucket, as clients are that have held the lock before.
            Acquire before = each.command(NAME, 1);
            each.release(before, ((Acquire.Granted) each.acquire(before)).token());
        }
        held = with(one.command(NAME, 1), LONG_LEASE, 0);
        token = ((Acquire.Granted) one.acquire(held)).token();
    }

    @AfterEach
    void close() {
        stores.forEach(PlainStore::close);
    }

    private PlainStore open() throws StoreFailure {
        PlainStore store = new PlainStore(server.uri(), Timings.DEFAULTS, micros::get);
        stores.add(store);
        return store;
    }

    private static Acquire with(Acquire asked, long lease, long lockDelay) {
        return new Acquire(
                asked.resource(), asked.attempt(), 1, lease, lockDelay, asked.description(), asked.mode(), 1);
    }

    private static Acquire queue(PlainStore store, int position) throws StoreFailure {
        Acquire asked = store.command(NAME, 7);
        assertThat(((Acquire.Queued) store.acquire(asked)).position()).isEqualTo(position);
        return asked;
    }

    private static long tokenOf(Heartbeat.TicketReply reply) {
        return ((Heartbeat.TicketGranted) reply).token();
    }

    private ResourceView view() throws StoreFailure {
        return one.store().inspect(NAME, PlainStore.TIMEOUT_NANOS).orElseThrow();
    }

    private long restMicros(String key) {
        return TimeUnit.MILLISECONDS.toMicros((Long) server.command("PTTL", key));
    }

    /** Runs Lua with the record, the bucket and the queue as KEYS. */
    private void edit(String lua) {
        server.command("EVAL", lua, "3", recordKey(NAME), bucketKey(NAME), queueKey(NAME));
    }

    private int form() {
        return ((Long) server.command("EVAL", "return string.byte(redis.call('GET', KEYS[1]))", "1", recordKey(NAME)))
                .intValue();
    }

    // ---- that they are taken ---------------------------------------------------------------------------------------

    @Test
    void contendedCommands_ofKnownClients_askTheServerForTheLeast() throws Exception {
        server.resetStats();
        queue(two, 0);
        assertThat(form()).isEqualTo(2);
        queue(three, 1);
        assertThat(one.acquire(one.command(NAME, 0).withMode(Acquire.Mode.TRY)))
                .isInstanceOfSatisfying(Acquire.Held.class, refused -> {
                    assertThat(refused.holders()).containsExactly("plain");
                    assertThat(refused.remainingMicros()).isEqualTo(LONG_LEASE);
                    assertThat(refused.queued()).isEqualTo(2);
                });
        // The machine reads the first ticket by HGET.
        assertThat(server.calls("hget")).isZero();
        server.resetStats();
        assertThat(one.release(held, token)).isTrue();
        assertThat(form()).isEqualTo(2);
        assertThat(server.calls("hget")).isEqualTo(1);
        assertThat(server.calls("publish")).isEqualTo(1);
    }

    @Test
    void handOver_toTheLastTicket_leavesOneHoldWithoutAQueue() throws Exception {
        Acquire second = with(two.command(NAME, 7), LONG_LEASE, 5_000_000);
        two.acquire(second);
        server.resetStats();
        assertThat(one.release(held, token)).isTrue();
        assertThat(server.calls("hget")).isEqualTo(1);
        assertThat(form()).isEqualTo(1);
        assertThat(server.command("EXISTS", queueKey(NAME))).isEqualTo(0L);
        ResourceView.Hold hold = view().holds().get(0);
        assertThat(hold.lockDelayMicros()).isEqualTo(5_000_000);
        assertThat(hold.claimed()).isFalse();
        assertThat(hold.deadlineMicros()).isEqualTo(micros.get() + Timings.DEFAULTS.claimMicros());
        // The key lives until G after the lock-delay, and not much longer.
        assertThat(restMicros(recordKey(NAME)))
                .isBetween(Timings.DEFAULTS.claimMicros() + GRACE, Timings.DEFAULTS.claimMicros() + 5_000_000 + GRACE);
    }

    // ---- release -------------------------------------------------------------------------------------------------

    @Test
    void release_ofAnotherClientsHold_releasesNothing() throws Exception {
        queue(two, 0);
        assertThat(three.release(held, token)).isFalse();
        assertThat(one.release(
                        new Acquire(
                                held.resource(), three.command(NAME, 1).attempt(), 1, 1, 0, "", Acquire.Mode.QUEUE, 1),
                        token))
                .isFalse();
        assertThat(one.release(held, token + 1)).isFalse();
        assertThat(view().holds().get(0).token()).isEqualTo(token);
    }

    @Test
    void release_afterTheDeadline_isNone() throws Exception {
        Acquire next = queue(two, 0);
        edit(
                "local r = redis.call('GET', KEYS[1]) redis.call('SET', KEYS[1], string.sub(r, 1, 49) .. struct.pack('<d', "
                        + micros.get() + ") .. string.sub(r, 58))");
        assertThat(one.release(held, token)).isFalse();
        assertThat(tokenOf(two.poll(next))).isGreaterThan(token);
    }

    @Test
    void release_whereATicketIsSilent_dropsIt() throws Exception {
        queue(two, 0);
        micros.addAndGet(PRESENCE);
        Acquire living = three.command(NAME, 7);
        assertThat(three.acquire(living)).isInstanceOf(Acquire.Queued.class);
        queue(two, 1);
        micros.addAndGet(PRESENCE - 1);
        three.poll(living);
        micros.addAndGet(1);
        server.command("HSET", bucketKey(NAME), "unused", "");
        assertThat(one.release(held, token)).isTrue();
        assertThat(view().tickets()).isEmpty();
        assertThat(form()).isEqualTo(1);
        assertThat(server.command("EXISTS", queueKey(NAME))).isEqualTo(0L);
    }

    @Test
    void release_toATicketThatEndedEarlierThanItsRecordSays_passesIt() throws Exception {
        queue(two, 0);
        Acquire living = queue(three, 1);
        edit("local n = struct.pack('<d', 1) local t = redis.call('HGET', KEYS[3], n)"
                + " redis.call('HSET', KEYS[3], n, struct.pack('<d', 1) .. string.sub(t, 9))");
        assertThat(one.release(held, token)).isTrue();
        assertThat(tokenOf(three.poll(living))).isGreaterThan(token);
    }

    @Test
    void release_toTheLastTicketBeforeGaps_leavesNoGaps() throws Exception {
        queue(two, 0);
        Acquire middle = queue(three, 1);
        Acquire last = queue(three, 2);
        three.cancel(middle);
        three.cancel(last);
        assertThat(RedisFixture.keys(server, "g:*")).isOne();
        assertThat(one.release(held, token)).isTrue();
        assertThat(form()).isEqualTo(1);
        assertThat(RedisFixture.keys(server, "[qg]:*")).isZero();
    }

    @Test
    void release_whoseQueueWasDeleted_frees() throws Exception {
        queue(two, 0);
        server.command("DEL", queueKey(NAME));
        assertThat(one.release(held, token)).isTrue();
        assertThat(one.store().inspect(NAME, PlainStore.TIMEOUT_NANOS)).isEmpty();
    }

    @Test
    void release_toATicketThatFitsNever_handsNothingOver() throws Exception {
        Acquire heavy = two.command(NAME, 1);
        assertThat(two.acquire(new Acquire(heavy.resource(), heavy.attempt(), 2, LONG_LEASE, 0, "", heavy.mode(), 1)))
                .isInstanceOf(Acquire.Queued.class);
        assertThat(one.release(held, token)).isTrue();
        assertThat(view().holds()).isEmpty();
        assertThat(view().tickets()).hasSize(1);
    }

    @Test
    void release_toAClientThatIsNewToTheBucket_makesItsMark() throws Exception {
        PlainStore newcomer = open();
        Acquire next = queue(newcomer, 0);
        assertThat(one.release(held, token)).isTrue();
        assertThat(newcomer.acquire(next)).isInstanceOf(Acquire.Granted.class);
        long granted = ((Acquire.Granted) newcomer.acquire(next)).token();
        assertThat(newcomer.release(next, granted)).isTrue();
        assertThat(newcomer.acquire(next)).isInstanceOf(Acquire.Stale.class);
    }

    @Test
    void attempt_thatWasHandedOverAndReleased_isNeverGrantedAgain() throws Exception {
        Acquire next = queue(two, 0);
        assertThat(one.release(held, token)).isTrue();
        assertThat(two.release(next, tokenOf(two.poll(next)))).isTrue();
        assertThat(two.acquire(next)).isInstanceOf(Acquire.Stale.class);
    }

    @Test
    void handOver_toAnOldAttempt_neverLowersAMark() throws Exception {
        Acquire old = queue(two, 0);
        Acquire newer = queue(two, 1);
        two.cancel(newer);
        assertThat(one.release(held, token)).isTrue();
        assertThat(two.acquire(newer)).isInstanceOf(Acquire.Stale.class);
        assertThat(two.release(old, tokenOf(two.poll(old)))).isTrue();
        assertThat(two.acquire(newer)).isInstanceOf(Acquire.Stale.class);
    }

    // ---- evidence of forgetting -----------------------------------------------------------------------------------

    /** Both short ways must see that the witness proves nothing. */
    private void assertBothLookAgain(Monitored.Calls change) throws Exception {
        queue(two, 0);
        change.run();
        server.resetStats();
        queue(three, 1);
        assertThat(server.calls("info")).as("an acquire looks").isEqualTo(1);
        change.run();
        server.resetStats();
        assertThat(one.release(held, token)).isTrue();
        assertThat(server.calls("info")).as("a release looks").isEqualTo(1);
    }

    @Test
    void commands_withoutAWitness_lookForEvidence() throws Exception {
        assertBothLookAgain(() -> edit("redis.call('HDEL', KEYS[2], 'w')"));
    }

    @Test
    void commands_withTheWitnessOfAnotherProcess_lookForEvidence() throws Exception {
        assertBothLookAgain(() -> edit("local w = redis.call('HGET', KEYS[2], 'w')"
                + " redis.call('HSET', KEYS[2], 'w', string.rep('0', 40) .. string.sub(w, 41))"));
    }

    @Test
    void commands_withAnOddWitness_lookForEvidence() throws Exception {
        assertBothLookAgain(() -> edit("redis.call('HSET', KEYS[2], 'w', redis.call('HGET', KEYS[2], 'w') .. ' ')"));
    }

    @Test
    void commands_withAWitnessOfASecondAgo_lookForEvidence() throws Exception {
        assertBothLookAgain(() -> micros.addAndGet(1_000_000));
    }

    @Test
    void commands_withAWitnessOfTheFuture_lookForEvidence() throws Exception {
        assertBothLookAgain(() -> micros.addAndGet(-1));
    }

    @Test
    void commands_whereTheBucketWasForgotten_grantNothing() throws Exception {
        Acquire next = queue(two, 0);
        edit("redis.call('HDEL', KEYS[2], 'e', 'w')");
        assertThat(one.release(held, token)).isTrue();
        assertThat(two.poll(next)).isInstanceOf(Heartbeat.Waiting.class);
        Acquire late = three.command(NAME, 1);
        assertThat(((Acquire.Queued) three.acquire(late)).stamp().graceMicros()).isPositive();
    }

    @Test
    void commands_whereTheHighWaterIsSpoilt_grantAndQueueNothing() throws Exception {
        Acquire next = queue(two, 0);
        edit("redis.call('HSET', KEYS[2], 'h', struct.pack('<d', 2 ^ 53))");
        assertThatThrownBy(() -> three.acquire(three.command(NAME, 1))).hasMessageContaining("HIGHWATER");
        assertThat(one.release(held, token)).isTrue();
        assertThat(two.poll(next)).isInstanceOf(Heartbeat.Gone.class);
    }

    @Test
    void tokens_areLargerThanTheHighWaterAndFollowTheClock() throws Exception {
        Acquire waiting = queue(two, 0);
        micros.addAndGet(500_007);
        assertThat(one.release(held, token)).isTrue();
        token = tokenOf(two.poll(waiting));
        assertThat(token).isEqualTo(Math.floorDiv((micros.get() - Protocol.TOKEN_EPOCH_MICROS) * 2, 125));
        assertThat(two.release(waiting, token)).isTrue();
        micros.addAndGet(400_003);
        held = one.command(NAME, 1);
        token = ((Acquire.Granted) one.acquire(held)).token();
        assertThat(token).isEqualTo(Math.floorDiv((micros.get() - Protocol.TOKEN_EPOCH_MICROS) * 2, 125));
        edit("redis.call('HSET', KEYS[2], 'h', struct.pack('<d', 2 ^ 44))");
        Acquire next = queue(two, 0);
        assertThat(one.release(held, token)).isTrue();
        assertThat(tokenOf(two.poll(next))).isEqualTo((1L << 44) + 1);
        assertThat(two.release(next, (1L << 44) + 1)).isTrue();
        assertThat(((Acquire.Granted) three.acquire(three.command(NAME, 1))).token())
                .isEqualTo((1L << 44) + 2);
    }

    @Test
    void release_whoseClientKnowsOfAGracePeriod_recordsItsEnd() throws Exception {
        edit("redis.call('HDEL', KEYS[2], 'e', 'w')");
        assertThat(one.acquire(one.command(NAME, 1)).stamp().graceMicros()).isPositive();
        // The server's is over before the client's.
        micros.addAndGet(GRACE);
        three.acquire(three.command(NAME, 1).withMode(Acquire.Mode.TRY));
        Acquire next = queue(two, 0);
        Release command = one.releaseOf(held, token);
        assertThat(one.store().release(command, PlainStore.TIMEOUT_NANOS).released())
                .isTrue();
        long end = command.number().value();
        assertThat(lastEnd()).isEqualTo(end);
        // A grant keeps it.
        Acquire again = queue(one, 0);
        assertThat(two.release(next, tokenOf(two.poll(next)))).isTrue();
        assertThat(one.poll(again)).isInstanceOf(Heartbeat.TicketGranted.class);
        assertThat(lastEnd()).isEqualTo(end);
    }

    /** Returns the last end that the bucket's marks record. */
    private Object lastEnd() {
        return server.command(
                "EVAL",
                "local last, all = 0, redis.call('HGETALL', KEYS[1]) for i = 1, #all, 2 do if #all[i] == 32 then"
                        + " last = math.max(last, (struct.unpack('<d', all[i + 1], 9))) end end return last",
                "1",
                bucketKey(NAME));
    }

    // ---- acquire --------------------------------------------------------------------------------------------------

    @Test
    void attempt_thatAlreadyQueues_keepsItsTicket() throws Exception {
        Acquire waiting = queue(two, 0);
        queue(three, 1);
        assertThat(((Acquire.Queued) two.acquire(waiting)).position()).isZero();
        assertThat(((Acquire.Queued) two.acquire(waiting.withMode(Acquire.Mode.TRY))).position())
                .isZero();
        assertThat(view().tickets()).hasSize(2);
    }

    @Test
    void acquire_afterTheDeadline_letsTheNextOneHold() throws Exception {
        edit("local r = redis.call('GET', KEYS[1]) redis.call('SET', KEYS[1], string.sub(r, 1, 1) .. struct.pack('<d', "
                + micros.get() + ") .. string.sub(r, 10))");
        assertThat(two.acquire(two.command(NAME, 1))).isInstanceOf(Acquire.Granted.class);
    }

    @Test
    void acquire_ofAnotherKindOrCapacity_isAMismatch() throws Exception {
        queue(two, 0);
        Acquire asked = three.command(NAME, 1);
        assertThat(three.acquire(new Acquire(
                        new Resource(NAME, Kind.SEMAPHORE, 1),
                        asked.attempt(),
                        1,
                        1_000_000,
                        0,
                        "",
                        Acquire.Mode.QUEUE,
                        1)))
                .isInstanceOf(Acquire.Mismatch.class);
    }

    @Test
    void acquire_whereThereIsRoomBesideAHold_isGranted() throws Exception {
        Resource permits = new Resource("permits", Kind.SEMAPHORE, 2);
        for (int i = 0; i < 3; i++) {
            Acquire asked = one.command(NAME, 1);
            Acquire.Reply reply =
                    one.acquire(new Acquire(permits, asked.attempt(), 1, LONG_LEASE, 0, "", Acquire.Mode.QUEUE, 1));
            assertThat(reply).isInstanceOf(i < 2 ? Acquire.Granted.class : Acquire.Queued.class);
        }
    }

    @Test
    void acquire_whereTicketsAreSilent_dropsThem() throws Exception {
        queue(two, 0);
        micros.addAndGet(PRESENCE);
        // The witness has to be fresh for a short way.
        three.acquire(three.command(NAME, 1).withMode(Acquire.Mode.TRY));
        assertThat(view().tickets()).isEmpty();
        queue(two, 0);
        micros.addAndGet(PRESENCE - 500_000);
        queue(three, 1);
        micros.addAndGet(500_000);
        queue(two, 1);
    }

    @Test
    void acquire_whereATicketLeftTheMiddle_isBehindTheOthersAlone() throws Exception {
        queue(two, 0);
        Acquire middle = queue(three, 1);
        queue(two, 2);
        three.cancel(middle);
        queue(three, 2);
    }

    @Test
    void acquire_whoseQueueWasDeleted_beginsAnother() throws Exception {
        queue(two, 0);
        queue(three, 1);
        server.command("DEL", queueKey(NAME));
        queue(two, 0);
        assertThat(restMicros(queueKey(NAME))).isPositive();
    }

    @Test
    void queueKey_livesLongerThanItsTickets() throws Exception {
        Acquire first = queue(two, 0);
        assertThat(restMicros(queueKey(NAME))).isGreaterThan(PRESENCE);
        long start = micros.get();
        while (micros.get() < start + GRACE) {
            micros.addAndGet(PRESENCE / 2);
            two.poll(first);
        }
        server.command("PERSIST", queueKey(NAME));
        micros.addAndGet(500_000);
        queue(three, 1);
        assertThat(restMicros(queueKey(NAME))).isGreaterThan(PRESENCE);
    }

    @Test
    void recordKey_livesLongerThanItsHoldsAndTickets_andNotMuchLonger() throws Exception {
        assertThat(one.release(held, token)).isTrue();
        held = with(one.command(NAME, 1), 1_000_000, TimeUnit.MINUTES.toMicros(20));
        token = ((Acquire.Granted) one.acquire(held)).token();
        queue(two, 0);
        assertThat(restMicros(recordKey(NAME))).isGreaterThan(TimeUnit.MINUTES.toMicros(20) + GRACE / 2);
        queue(three, 1);
        assertThat(restMicros(recordKey(NAME))).isGreaterThan(TimeUnit.MINUTES.toMicros(20) + GRACE / 2);
        assertThat(one.release(held, token)).isTrue();
        assertThat(restMicros(recordKey(NAME))).isBetween(PRESENCE + GRACE - 1_000_000, PRESENCE + GRACE + 1_000_000);
    }

    @Test
    void recordKey_ofAShortLease_livesLongerThanTheTicketsBehindIt() throws Exception {
        assertThat(one.release(held, token)).isTrue();
        one.acquire(with(one.command(NAME, 1), 1_000_000, 0));
        queue(two, 0);
        assertThat(restMicros(recordKey(NAME))).isGreaterThan(PRESENCE + GRACE - 1_000_000);
    }

    @Test
    void recordKey_afterTheClockWasSetBack_livesNoLongerThanNeeded() throws Exception {
        assertThat(one.release(held, token)).isTrue();
        one.acquire(with(one.command(NAME, 1), 1_000_000, 0));
        queue(two, 0);
        micros.addAndGet(-PRESENCE / 2);
        // Renews the witness.
        three.acquire(three.command(NAME, 1).withMode(Acquire.Mode.TRY));
        server.command("PERSIST", recordKey(NAME));
        queue(three, 1);
        assertThat(restMicros(recordKey(NAME))).isBetween(PRESENCE, PRESENCE + GRACE + 1_000_000);
    }

    @Test
    void recordKey_ofAHandOver_livesLongerThanTheLockDelayOfItsHold() throws Exception {
        assertThat(one.release(held, token)).isTrue();
        held = one.command(NAME, 1);
        token = ((Acquire.Granted) one.acquire(held)).token();
        two.acquire(with(two.command(NAME, 1), LONG_LEASE, TimeUnit.MINUTES.toMicros(20)));
        assertThat(one.release(held, token)).isTrue();
        assertThat(restMicros(recordKey(NAME))).isGreaterThan(TimeUnit.MINUTES.toMicros(20) + GRACE / 2);
    }

    @Test
    void acquire_afterTheClockWasSetBack_makesATicketThatEndsBeforeTheOthers() throws Exception {
        queue(two, 0);
        micros.addAndGet(-PRESENCE / 2);
        // Renews the witness.
        three.acquire(three.command(NAME, 1).withMode(Acquire.Mode.TRY));
        queue(three, 1);
        micros.addAndGet(PRESENCE);
        three.acquire(three.command(NAME, 1).withMode(Acquire.Mode.TRY));
        queue(three, 1);
    }

    @Test
    void records_thatAreNotOurs_areNamed() throws Exception {
        for (String foreign : List.of("\1mine", "\2mine", "")) {
            server.command("SET", recordKey(NAME), foreign);
            assertNamed();
        }
    }

    @Test
    void records_thatAreCutOff_areNamed() throws Exception {
        edit("redis.call('SET', KEYS[1], string.sub(redis.call('GET', KEYS[1]), 1, 80))");
        assertNamed();
    }

    private void assertNamed() {
        assertThatThrownBy(() -> two.acquire(two.command(NAME, 1))).hasMessageContaining("WRONGTYPE");
        assertThatThrownBy(() -> one.store().release(one.releaseOf(held, token), PlainStore.TIMEOUT_NANOS))
                .hasMessageContaining("WRONGTYPE");
    }

    @Test
    void fullMemory_refusesTickets_andNoHandOver() throws Exception {
        Acquire next = queue(two, 0);
        server.command("SET", "ballast", "x".repeat(4_000_000));
        server.command("CONFIG", "SET", "maxmemory", "2mb");
        try {
            assertThatThrownBy(() -> three.acquire(three.command(NAME, 1))).hasMessageContaining("OOM");
            assertThat(view().tickets()).hasSize(1);
            assertThat(one.release(held, token)).isTrue();
            assertThat(tokenOf(two.poll(next))).isGreaterThan(token);
        } finally {
            server.command("CONFIG", "SET", "maxmemory", "0");
            server.command("DEL", "ballast");
        }
    }

    // ---- in one call ------------------------------------------------------------------------------------------------

    @Test
    void handOvers_inOneCall_tellEachClientOnce() throws Exception {
        queue(two, 0);
        Acquire other = one.command("other", 1);
        long otherToken = ((Acquire.Granted) one.acquire(other)).token();
        Acquire late = two.command("other", 9);
        two.acquire(late);
        two.pushes().clear();
        List<Release> both = List.of(one.releaseOf(held, token), one.releaseOf(other, otherToken));
        assertThat(one.store().releaseAll(both, PlainStore.TIMEOUT_NANOS))
                .extracting(Release.Reply::released)
                .containsExactly(true, true);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            told.add(two.pushes().poll(20, TimeUnit.SECONDS).name());
        }
        assertThat(told).containsExactlyInAnyOrder(NAME, "other");
        assertThat(two.pushes()).isEmpty();
    }
}
