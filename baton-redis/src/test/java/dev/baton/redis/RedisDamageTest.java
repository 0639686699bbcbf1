package dev.baton.redis;

import static dev.baton.redis.Clients.MARGIN;
import static dev.baton.redis.Clients.PATIENCE;
import static dev.baton.redis.Clients.bucketKey;
import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.queueKey;
import static dev.baton.redis.Clients.queued;
import static dev.baton.redis.Clients.recordKey;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.throughout;
import static dev.baton.redis.Clients.until;
import static dev.baton.redis.Clients.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Release;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes to keys by operators and memory policies, foreign keys in the way, and full memory. */
@Timeout(120)
class RedisDamageTest {
    private static final Duration LEASE = Clients.PATIENT_LEASE;
    private static final Duration GRACE = Clients.PATIENT_GRACE;

    /** A lease is renewed after a third of its time. */
    private static final Duration RENEWAL = LEASE.dividedBy(3);

    /** By then, a hold that was not renewed is lost. */
    private static final Duration OVER = LEASE.plus(RENEWAL);

    /** How often a waiting client polls its ticket: three times in the presence that goes with G. */
    private static final Duration BEAT = GRACE.dividedBy(6);

    /** Refused again and again, an attempt ends with it. To one that a pause kept from asking again, the lock is busy. */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    private final Clients clients = new Clients();
    private RedisServer server;
    private Baton client;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        client = clients.connectPatiently(server);
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    private static Lease get(CompletableFuture<Lease> future) throws Exception {
        return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    // ---- deleted by hand -----------------------------------------------------------------------------------------

    @Test
    @DisplayName("P38: deletedRecord_tellsItsHolderAtTheNextRenewal_andIsNeverMadeAgain")
    void deletedRecord_tellsItsHolderAtTheNextRenewal_andIsNeverMadeAgain() throws Exception {
        CompletableFuture<LossCause> told = new CompletableFuture<>();
        Lease lease = client.lock("evicted").acquire().onLost(told::complete);
        long start = System.nanoTime();
        assertThat(server.command("DEL", recordKey("evicted"))).isEqualTo(1L);
        assertThat(told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.REVOKED);
        System.out.println("told after " + since(start));
        assertThat(since(start)).isLessThan(RENEWAL.plus(MARGIN));
        assertThat(lease.isHeld()).isFalse();
        throughout(
                LEASE,
                "no record",
                () -> server.command("EXISTS", recordKey("evicted")).equals(0L));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        Lease next = client.lock("evicted").acquire();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("P38: deletedBucket_keepsTokensGrowing")
    void deletedBucket_keepsTokensGrowing() throws Exception {
        Lease first = client.lock("counted").acquire();
        server.command("DEL", bucketKey("counted"));
        throughout(LEASE, "renewed", first::isHeld);
        assertThat(first.release()).isEqualTo(ReleaseOutcome.RELEASED);
        server.command("DEL", bucketKey("counted"));
        Lease second = client.lock("counted").acquire();
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(second.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @ParameterizedTest(name = "{displayName} {0}")
    @ValueSource(strings = {"queue", "record", "bucket", "everything"})
    @DisplayName("P38 P16: keysDeletedUnderWaiters_letThemGoOnWithTheirNextHeartbeat")
    void keysDeletedUnderWaiters_letThemGoOnWithTheirNextHeartbeat(String what) throws Exception {
        Lease held = client.lock("queued").acquire();
        List<Baton> batons = new ArrayList<>();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Baton other = clients.connectPatiently(server);
            batons.add(other);
            waiting.add(other.lock("queued").acquireAsync());
        }
        until("all queue", () -> queued(client, "queued") == 5);
        switch (what) {
            case "queue" -> server.command("DEL", queueKey("queued"));
            case "record" -> server.command("DEL", recordKey("queued"));
            case "bucket" -> server.command("DEL", bucketKey("queued"));
            default -> server.command("FLUSHALL");
        }
        // Some give up just now: the tickets they withdraw belong to a queue that no longer exists.
        waiting.remove(0).cancel(true);
        waiting.add(batons.get(0).lock("queued").acquireAsync());
        long start = System.nanoTime();
        boolean forgotten = what.equals("bucket") || what.equals("everything");
        if (what.equals("everything")) {
            // The holder puts its lock back, and the waiters queue for it again.
            within(BEAT.multipliedBy(2).plus(MARGIN), "all queue again", () -> queued(client, "queued") == 5);
            assertThat(held.isHeld()).isTrue();
            held.release();
        } else if (!what.equals("record")) {
            within(BEAT.multipliedBy(2).plus(MARGIN), "all queue again", () -> queued(client, "queued") == 5);
            assertThat(held.isHeld()).isTrue();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        while (!waiting.isEmpty()) {
            CompletableFuture<Lease> next = waiting.stream()
                    .filter(CompletableFuture::isDone)
                    .findFirst()
                    .orElse(null);
            if (next != null) {
                waiting.remove(next);
                assertThat(get(next).release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
            assertThat(since(start))
                    .as("in time for " + waiting)
                    .isLessThan(BEAT.multipliedBy(2 + 5).plus(MARGIN).plus(forgotten ? GRACE : Duration.ZERO));
            Thread.sleep(1);
        }
        assertThat(server.info("commandstats").get("cmdstat_evalsha")).contains("failed_calls=0");
        until("nothing is left", () -> RedisFixture.keys(server, "[rq]:*") == 0);
    }

    @Test
    @DisplayName("P38 P16: ticketsOfADeletedRecord_areNotTakenForThoseOfTheNextQueue")
    void ticketsOfADeletedRecord_areNotTakenForThoseOfTheNextQueue() throws Exception {
        List<Baton> batons = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            batons.add(clients.connectPatiently(server));
        }
        Lease deleted = client.lock("twice").acquire();
        Lease unrelated = batons.get(0).lock("unrelated").acquire();
        CompletableFuture<Lease> old = batons.get(0).lock("twice").acquireAsync();
        until("queued", () -> queued(client, "twice") == 1);
        server.command("DEL", recordKey("twice"));
        // Another queue with the same numbers, before the client of the old one asks again.
        Lease first = batons.get(1).lock("twice").acquire();
        CompletableFuture<Lease> second = batons.get(2).lock("twice").acquireAsync();
        until("queued", () -> queued(client, "twice") >= 1);
        CompletableFuture<Lease> third = batons.get(3).lock("twice").acquireAsync();
        until("queued", () -> queued(client, "twice") >= 2);
        first.release();
        Lease present = get(second);
        throughout(OVER, "renewed", () -> unrelated.isHeld() && present.isHeld());
        assertThat(deleted.isHeld()).isFalse();
        assertThat(queued(client, "twice")).isEqualTo(2);
        present.release();
        get(third).release();
        get(old).release();
    }

    // ---- foreign keys --------------------------------------------------------------------------------------------

    private void assertRefused(DistributedLock lock) {
        assertThatThrownBy(() -> lock.tryAcquire(REFUSED))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("holds something else");
    }

    @Test
    void recordKey_ofAnotherType_isNamedAndLeftAlone() throws Exception {
        server.command("LPUSH", recordKey("list"), "mine");
        server.command("HSET", recordKey("hash"), "mine", "1");
        server.command("SET", recordKey("string"), "mine");
        for (String name : List.of("list", "hash", "string")) {
            String before = contents();
            assertRefused(client.lock(name));
            assertThat(contents()).isEqualTo(before);
            server.command("DEL", recordKey(name));
            Lease lease = client.lock(name).tryAcquire(PATIENCE).orElseThrow();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void bucketKey_ofAnotherType_isNamedAndLeftAlone() throws Exception {
        server.command("SET", bucketKey("lock"), "mine");
        String before = contents();
        assertRefused(client.lock("lock"));
        assertThat(contents()).isEqualTo(before);
        server.command("DEL", bucketKey("lock"));
        assertThat(client.lock("lock").tryAcquire(PATIENCE)).isPresent();
    }

    @Test
    @DisplayName("P1: highWater_aboveAllTokens_isRefused_andHoldsGoOn")
    void highWater_aboveAllTokens_isRefused_andHoldsGoOn() throws Exception {
        Lease held = client.lock("high").acquire();
        Lease renewed = client.lock("renewed").acquire();
        CompletableFuture<Lease> waiter =
                clients.connectPatiently(server).lock("high").acquireAsync();
        until("queued", () -> queued(client, "high") == 1);
        // 2^53: adding 1 to this double changes nothing.
        String spoilt = "\0\0\0\0\0\0@C";
        server.command("HSET", bucketKey("high"), "h", spoilt);
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThatThrownBy(() -> get(waiter)).hasMessageContaining("remove the field");
        for (DistributedLock lock :
                List.of(client.lock("high"), clients.connectPatiently(server).lock("high"))) {
            assertThatThrownBy(() -> lock.tryAcquire(REFUSED))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("remove the field")
                    .hasMessageContaining(bucketKey("high"));
        }
        throughout(LEASE, "renewed", renewed::isHeld);
        assertThat(server.command("HGET", bucketKey("high"), "h")).isEqualTo(spoilt);
        server.command("HDEL", bucketKey("high"), "h");
        Lease next = client.lock("high").tryAcquire(PATIENCE).orElseThrow();
        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void queueKey_ofAnotherType_refusesWaitersAndNotTheHolder() throws Exception {
        server.command("SET", queueKey("lock"), "mine");
        Lease held = client.lock("lock").acquire();
        Baton other = clients.connectPatiently(server);
        Object before = server.command("GET", queueKey("lock"));
        assertRefused(other.lock("lock"));
        assertThat(server.command("GET", queueKey("lock"))).isEqualTo(before);
        assertThat(queued(client, "lock")).isZero();
        throughout(LEASE, "renewed", held::isHeld);
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        server.command("DEL", queueKey("lock"));
        assertThat(other.lock("lock").tryAcquire(PATIENCE)).isPresent();
    }

    @Test
    void keyOfAnotherType_amongReleasesThatGoAsOneCall_costsItsOwnAlone() throws Exception {
        try (PlainStore plain = new PlainStore(server.uri(), Timings.withGrace(GRACE))) {
            List<Release> releases = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Acquire asked = plain.command("held " + i, 1);
                Acquire.Granted granted = (Acquire.Granted) plain.acquire(asked);
                releases.add(plain.releaseOf(asked, granted.token()));
            }
            server.command("DEL", recordKey("held 7"));
            server.command("LPUSH", recordKey("held 7"), "mine");
            server.resetStats();
            assertThatThrownBy(() -> plain.store().releaseAll(releases, PATIENCE.toNanos()))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("WRONGTYPE");
            assertThat(server.calls("evalsha")).isEqualTo(1);
        }
        for (int i = 0; i < 20; i++) {
            if (i != 7) {
                assertThat(client.lock("held " + i).tryAcquire()).isPresent();
            }
        }
        assertRefused(client.lock("held 7"));
    }

    @ParameterizedTest(name = "{displayName} {0}")
    @ValueSource(strings = {"a record of another type", "a record that is not ours", "a bucket of another type"})
    void keyThatIsReplacedDuringAHold_costsThisHoldAndNoOther(String what) throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            leases.add(client.lock("held " + i).acquire());
        }
        List<Lease> spared = new ArrayList<>(leases);
        switch (what) {
            case "a record of another type" -> {
                server.command("DEL", recordKey("held 7"));
                server.command("LPUSH", recordKey("held 7"), "mine");
                spared.remove(7);
            }
            case "a record that is not ours" -> {
                server.command("SET", recordKey("held 7"), "mine");
                spared.remove(7);
            }
            default -> {
                server.command("SET", bucketKey("held 7"), "mine");
                spared.removeIf(lease -> bucketKey(lease.name()).equals(bucketKey("held 7")));
            }
        }
        throughout(OVER, "the others are renewed", () -> spared.stream().allMatch(Lease::isHeld));
        if (what.startsWith("a record")) {
            assertThat(leases.get(7).isHeld()).isFalse();
        }
    }

    /** Returns all keys of the namespace and their contents, except the descriptor. */
    private String contents() {
        List<String> contents = new ArrayList<>();
        for (Object key : (List<?>) server.command("KEYS", "*")) {
            String name = (String) key;
            // The server records in buckets when it looked whether it forgot them.
            if (!name.endsWith(":d") && !server.command("TYPE", name).equals("hash")) {
                contents.add(name + "=" + server.command("DUMP", name).hashCode());
            }
        }
        contents.sort(null);
        return contents.toString();
    }

    // ---- memory --------------------------------------------------------------------------------------------------

    @Test
    void fullMemory_refusesNewHoldsAndKeepsThePresentOnes() throws Exception {
        Lease renewed = client.lock("renewed").acquire();
        Lease released = client.lock("released").acquire();
        Baton other = clients.connectPatiently(server);
        CompletableFuture<Lease> waiter = other.lock("released").acquireAsync();
        until("queued", () -> queued(client, "released") == 1);
        server.command("SET", "ballast", "x".repeat(4_000_000));
        server.command("CONFIG", "SET", "maxmemory", "2mb");
        for (int i = 0; i < 2; i++) {
            DistributedLock lock = client.lock("new " + i);
            assertThatThrownBy(() -> lock.tryAcquire(REFUSED))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("memory is full");
        }
        throughout(OVER, "renewed", renewed::isHeld);
        assertThat(released.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Lease handedOver = get(waiter);
        throughout(OVER, "renewed", handedOver::isHeld);
        assertThat(handedOver.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(renewed.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(RedisFixture.keys(server, "[rq]:*")).isZero();
        server.command("DEL", "ballast");
        assertThat(client.lock("new 0").tryAcquire(PATIENCE)).isPresent();
    }

    @Test
    void fullMemory_letsWaitersWithdraw() throws Exception {
        // With the default G, a ticket that is not withdrawn stays for ten seconds.
        BatonOptions lasting = options()
                .namespace("lasting")
                .leaseTime(LEASE)
                .grace(BatonOptions.defaults().grace())
                .build();
        Baton holder = clients.connect(server.uri(), lasting);
        Baton other = clients.connect(server.uri(), lasting);
        Lease held = holder.lock("busy").acquire();
        CompletableFuture<Lease> waiter = other.lock("busy").acquireAsync();
        until("queued", () -> queued(holder, "busy") == 1);
        server.command("SET", "ballast", "x".repeat(4_000_000));
        server.command("CONFIG", "SET", "maxmemory", "2mb");
        waiter.cancel(true);
        within(MARGIN, "withdrawn", () -> queued(holder, "busy") == 0);
        assertThat(holder.admin().forceRelease("busy")).isPresent();
        within(RENEWAL.plus(MARGIN), "revoked", () -> !held.isHeld());
        within(MARGIN, "freed", () -> holder.admin().inspect("busy").isEmpty());
    }

    @Test
    void connecting_toAServerWhoseMemoryIsFull_saysSo() {
        server.command("FLUSHALL");
        server.command("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> clients.connectPatiently(server))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("memory is full");
    }
}
