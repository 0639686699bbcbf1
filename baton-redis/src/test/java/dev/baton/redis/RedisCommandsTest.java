package dev.baton.redis;

import static dev.baton.redis.Clients.since;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.ReentrantDistributedLock;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Protocol;
import dev.baton.spi.ResourceView;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that reach the server for each operation, as the server counts them. */
@Timeout(120)
class RedisCommandsTest extends OnOwnRedis {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");

    private long scriptCalls() {
        return Clients.scriptCalls(server);
    }

    @Test
    @DisplayName("P27: uncontendedPair_ofNewOrKnownName_takesTwoCallsAndNoPublish")
    void uncontendedPair_ofNewOrKnownName_takesTwoCallsAndNoPublish() throws Exception {
        Baton client = connect();
        for (String name : List.of("new", "new", "other")) {
            server.resetStats();
            Lease lease = client.lock(name).acquire();
            assertThat(scriptCalls()).isEqualTo(1);
            lease.release();
            assertThat(scriptCalls()).isEqualTo(2);
            assertThat(server.calls("publish")).isZero();
            assertThat(server.calls("script|load")).isZero();
        }
    }

    @Test
    @DisplayName("P27: pairsOfManyThreads_shareCalls")
    void pairsOfManyThreads_shareCalls() throws Exception {
        Baton client = connect();
        int each = 500;
        server.resetStats();
        List<Work<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            String name = "own " + i;
            threads.add(Mode.SYNC.start(() -> {
                for (int k = 0; k < each; k++) {
                    client.lock(name).acquire().release();
                }
                return true;
            }));
        }
        for (Work<Boolean> thread : threads) {
            thread.get();
        }
        double pairs = threads.size() * each;
        System.out.printf("%d threads: %.3f calls a pair%n", threads.size(), scriptCalls() / pairs);
        // A pair is two commands. How many of them share a call is chance, and few do while other processes have the
        // processors, but some always do.
        assertThat(scriptCalls() / pairs).isLessThan(2);
        assertThat(server.calls("publish")).isZero();
    }

    @Test
    @DisplayName("P27: reentrance_andQuestionsOfTheHolder_takeNoCall")
    void reentrance_andQuestionsOfTheHolder_takeNoCall() {
        ReentrantDistributedLock lock = connect().reentrantLock("again");
        lock.lock();
        server.resetStats();
        for (int i = 0; i < 100; i++) {
            lock.lock();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            Lease lease = lock.currentLease().orElseThrow();
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.remaining()).isPositive();
            lease.ensureHeld(Duration.ofSeconds(1));
            lock.unlock();
        }
        assertThat(scriptCalls()).isZero();
        lock.unlock();
        assertThat(scriptCalls()).isEqualTo(1);
    }

    @Test
    @DisplayName("P27: handOffs_betweenThreadsOfOneClient_takeNoCall")
    void handOffs_betweenThreadsOfOneClient_takeNoCall() throws Exception {
        Baton client = connect();
        int each = 500;
        Set<Long> grants = ConcurrentHashMap.newKeySet();
        server.resetStats();
        long start = System.nanoTime();
        List<Work<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Mode.SYNC.start(() -> {
                for (int k = 0; k < each; k++) {
                    Lease lease = client.lock("local").acquire();
                    grants.add(lease.token() / Protocol.LOCAL_TOKENS);
                    lease.release();
                }
                return true;
            }));
        }
        for (Work<Boolean> thread : threads) {
            thread.get();
        }
        System.out.println(threads.size() * each + " holds, " + grants.size() + " grants, " + scriptCalls() + " calls");
        // A client that is alone checks every 25 ms whether it still is.
        long asked = Duration.ofNanos(System.nanoTime() - start).toMillis() / 25 + 1;
        assertThat(scriptCalls()).isBetween(2L * grants.size(), 2L * grants.size() + asked);
        assertThat(grants).hasSizeLessThan(threads.size() * each / 2);
    }

    @Test
    @DisplayName("P27: refusedTry_takesOneCall_andWaitingOnePerSecond")
    void refusedTry_takesOneCall_andWaitingOnePerSecond() throws Exception {
        Lease held = connect().lock("busy").acquire();
        Baton other = connect();
        server.resetStats();
        assertThat(other.lock("busy").tryAcquire()).isEmpty();
        assertThat(scriptCalls()).isEqualTo(1);
        server.resetStats();
        long start = System.nanoTime();
        assertThat(other.lock("busy").tryAcquire(Duration.ofMillis(3_500))).isEmpty();
        // A ticket, its withdrawal, and a heartbeat each second between, which are three if nothing stalls.
        assertThat(scriptCalls()).isBetween(3L, 2 + since(start).toSeconds());
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void ping_isOneRoundTrip_alsoWhereTheScriptsWereForgotten() throws Exception {
        try (PlainStore plain = new PlainStore(server.uri())) {
            server.command("SCRIPT", "FLUSH");
            server.resetStats();
            long before = plain.store().ping(PlainStore.TIMEOUT_NANOS).nowMicros();
            assertThat(plain.store().ping(PlainStore.TIMEOUT_NANOS).nowMicros()).isGreaterThan(before);
            assertThat(scriptCalls()).isZero();
            assertThat(server.calls("time")).isEqualTo(2);
        }
    }

    @Test
    void marksOfABucket_areATable_andThoseOfSilentClientsAreForgotten() throws Exception {
        String bucket = Clients.bucketKey("marked");
        int silent = 40;
        try (PlainStore first = new PlainStore(server.uri())) {
            Acquire held = first.command("marked", 1);
            long token = ((Acquire.Granted) first.acquire(held)).token();
            assertThat(server.command("OBJECT", "ENCODING", bucket)).isEqualTo("hashtable");
            for (int i = 0; i < silent; i++) {
                server.command("HSET", bucket, String.format("%032d", i), "\0".repeat(24));
            }
            // Their marks are written when the lock is handed to them, and not by an acquire of their own.
            for (int i = 0; i < silent / 2; i++) {
                try (PlainStore next = new PlainStore(server.uri())) {
                    Acquire waits = next.command("marked", 1);
                    next.acquire(waits);
                    assertThat(first.release(held, token)).isTrue();
                    Heartbeat.TicketGranted granted = (Heartbeat.TicketGranted) next.poll(waits);
                    assertThat(next.release(waits, granted.token())).isTrue();
                }
                held = first.command("marked", 1);
                token = ((Acquire.Granted) first.acquire(held)).token();
            }
        }
        assertThat((Long) server.command("HLEN", bucket)).isLessThan(2 + 1 + silent / 2 + silent / 2);
    }

    @Test
    void heartbeat_writesTheDescription_onlyWhereItHasChanged() throws Exception {
        try (PlainStore plain = new PlainStore(server.uri())) {
            Acquire asked = plain.command("described", 1);
            long token = ((Acquire.Granted) plain.acquire(asked)).token();
            server.resetStats();
            for (String owner : List.of("plain", "other", "other", "x".repeat(100_000), "x".repeat(200_000))) {
                plain.confirm(asked, token, owner);
            }
            assertThat(server.calls("get")).isEqualTo(5);
            assertThat(server.calls("set")).isEqualTo(2);
            assertThat(plain.store().inspect("described", PlainStore.TIMEOUT_NANOS))
                    .hasValueSatisfying(view -> assertThat(view.holds())
                            .extracting(ResourceView.Hold::description)
                            .containsExactly("x".repeat(512)));
        }
    }

    @ParameterizedTest(name = "{displayName} {0}")
    @ValueSource(ints = {4, 16, 64})
    @DisplayName("P27 P28: handOver_amongManyWaitingClients_takesTwoCallsAndOnePublish")
    void handOver_amongManyWaitingClients_takesTwoCallsAndOnePublish(int count) throws Exception {
        List<Baton> batons = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            batons.add(connect());
        }
        server.resetStats();
        long start = System.nanoTime();
        List<Work<Integer>> loops = new ArrayList<>();
        for (Baton baton : batons) {
            loops.add(Mode.SYNC.start(() -> pairs(baton, start)));
        }
        int pairs = 0;
        for (Work<Integer> loop : loops) {
            pairs += loop.get();
        }
        long beats = count * (since(start).toSeconds() + 1);
        double calls = scriptCalls();
        double publishes = server.calls("publish");
        System.out.printf(
                "%d clients: %d pairs, %.3f calls and %.3f publishes each, of at most %d heartbeats%n",
                count, pairs, calls / pairs, publishes / pairs, beats);
        assertThat(calls).isLessThanOrEqualTo(2.1 * pairs + beats);
        assertThat(publishes).isLessThanOrEqualTo(pairs);
    }

    private static int pairs(Baton baton, long start) throws InterruptedException {
        int pairs = 0;
        while (since(start).toMillis() < 1_500) {
            baton.lock("hot").acquire().release();
            pairs++;
        }
        return pairs;
    }

    @Test
    @DisplayName("P27: tenThousandHolds_areRenewedByOneCallPerHundredAndPeriod")
    void tenThousandHolds_areRenewedByOneCallPerHundredAndPeriod() throws Exception {
        int count = 10_000;
        Baton client = clients.connect(server.uri(), HeldBatch.options());
        HeldBatch batch = HeldBatch.of(client, count);
        int periods = NIGHTLY ? 15 : 4;
        server.resetStats();
        long most = batch.keepFor(periods);
        long calls = scriptCalls();
        System.out.println(count + " holds: " + calls + " calls in " + periods + " periods");
        assertThat(calls).isBetween((long) periods, count / 100 * most);
        assertThat(RedisFixture.keys(server, "r:held *")).isEqualTo(count);
        client.close();
        assertThat(RedisFixture.keys(server, "r:*")).isZero();
    }
}
