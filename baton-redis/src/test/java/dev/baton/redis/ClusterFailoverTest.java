package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.servers.RedisCluster;
import dev.baton.servers.RedisServer;
import dev.baton.spi.Protocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failovers of a cluster's primaries, and slots that move, with clients that hold and wait. */
@Tag("serial")
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class ClusterFailoverTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** G, which lasts longer than the nodes need to notice a death. */
    private static final Duration GRACE = Duration.ofSeconds(6);

    /** Longer than a failover takes, also on a busy machine, where it has taken seven seconds. */
    private static final Duration LEASE = Duration.ofSeconds(12);

    private static final int ROUNDS = Boolean.getBoolean("baton.nightly") ? 100 : 2;
    private static final int CHANGES = Boolean.getBoolean("baton.nightly") ? 100 : 4;

    private final Clients clients = new Clients();
    private RedisCluster set;

    @BeforeEach
    void startAll() {
        set = RedisCluster.start();
    }

    @AfterEach
    void stopAll() {
        clients.close();
        set.close();
    }

    private Baton connect() {
        return clients.connect(
                set.uri(),
                options()
                        .grace(GRACE)
                        .leaseTime(LEASE)
                        .storeTimeout(Duration.ofSeconds(20))
                        .build());
    }

    private static int slot(String name) {
        return Slots.of(Clients.recordKey(name));
    }

    /** Asks again while a failover is under way, or a grace period. */
    private static Optional<Lease> tryNow(Baton client, String name) throws InterruptedException {
        try {
            return client.lock(name).tryAcquire();
        } catch (StoreException unknown) {
            return Optional.empty();
        }
    }

    @Test
    @DisplayName("P6: a failover of a shard that forgets a lock gives it to nobody else, and its holder keeps it")
    void failover_thatForgetsALock_givesItToNobodyElse() throws Exception {
        Baton holding = connect();
        Baton other = connect();
        Duration worst = Duration.ZERO;
        for (int round = 0; round < ROUNDS; round++) {
            String name = "lock" + round;
            RedisServer first = set.primaryOf(slot(name));
            set.loseTail(first);
            Lease held = holding.lock(name).acquire();
            assertThat(first.command("EXISTS", Clients.recordKey(name))).isEqualTo(1L);
            // A replica answers nothing about keys but their names.
            assertThat(set.replicasOf(first))
                    .as("what the failover will forget")
                    .isNotEmpty()
                    .allMatch(replica -> replica.command("KEYS", "*:r:" + name).equals(List.of()));
            set.killPrimary(slot(name));
            long killed = System.nanoTime();
            RedisServer second = set.awaitPrimaryOtherThan(first, slot(name), LIMIT);
            until("the holder's client has put it back", () -> {
                Optional<Lease> again = tryNow(other, name);
                assertThat(held.isHeld())
                        .as("the lease lasts longer than the failover")
                        .isTrue();
                assertThat(again).as("granted twice").isEmpty();
                return second.command("EXISTS", Clients.recordKey(name)).equals(1L);
            });
            Duration took = since(killed);
            worst = took.compareTo(worst) > 0 ? took : worst;
            assertThat(held.isHeld()).as("round %s: still held", round).isTrue();
            CompletableFuture<Lease> next = other.lock(name).acquireAsync();
            assertThatThrownBy(() -> next.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            try (Lease after = next.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                assertThat(after.token()).isGreaterThan(held.token());
            }
            set.keepTail();
            set.rejoinMissing();
            set.awaitComplete(LIMIT);
        }
        System.out.println(ROUNDS + " failovers that forgot a held lock: put back after " + worst.toMillis()
                + " ms at the latest, 0 double grants");
    }

    @Test
    void primary_thatIsStoppedAndResumed_grantsNothingMore() throws Exception {
        Baton client = connect();
        String name = "stopped";
        client.lock(name).acquire().close();
        RedisServer first = set.primaryOf(slot(name));
        first.pause();
        RedisServer second = set.awaitPrimaryOtherThan(first, slot(name), LIMIT);
        try (Lease lease = client.lock(name).acquire()) {
            assertThat(second.command("EXISTS", Clients.recordKey(name))).isEqualTo(1L);
            first.resume();
            until("the old primary has been left", () -> Clients.connections(first) == 0);
            until(
                    "it sends clients on",
                    () -> String.valueOf(attempt(first, name)).startsWith("MOVED"));
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private static String attempt(RedisServer server, String name) {
        try {
            return String.valueOf(server.command("EXISTS", Clients.recordKey(name)));
        } catch (RuntimeException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void slotThatMoves_keepsItsLocks_andItsWaitersAreServed() throws Exception {
        Baton one = connect();
        Baton two = connect();
        String name = "moved";
        int slot = slot(name);
        RedisServer from = set.primaryOf(slot);
        RedisServer to = set.primaries().stream()
                .filter(each -> each != from)
                .findFirst()
                .orElseThrow();
        Lease held = one.lock(name).acquire();
        CompletableFuture<Lease> waiting = two.lock(name).acquireAsync();
        until("it waits", () -> Clients.queued(one, name) == 1);
        set.beginMove(slot, to);
        String beside = sibling(name);
        // From a second on no answer counts against the store, whenever the client last heard of it.
        assertThatThrownBy(() -> one.lock(beside).tryAcquire(Duration.ofSeconds(1)))
                .as("a name that has no record yet, while its slot moves")
                .isInstanceOf(StoreException.class);
        while (set.moveKeys(slot, to, 10) > 0) {
            assertThat(held.isHeld()).isTrue();
        }
        set.endMove(slot, to);
        assertThat(to.command("EXISTS", Clients.bucketKey(name))).isEqualTo(1L);
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        try (Lease next = waiting.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            assertThat(next.token()).isGreaterThan(held.token());
        }
        one.lock(beside).acquire().close();
        assertThat(from.command("PUBSUB", "SHARDCHANNELS", "tck:{" + bucket(name) + "}*"))
                .isEqualTo(List.of());
    }

    private static int bucket(String name) {
        return Protocol.bucketOf(name);
    }

    /** Returns another name of the same bucket. */
    private static String sibling(String name) {
        for (int i = 0; ; i++) {
            String other = "sibling" + i;
            if (bucket(other) == bucket(name)) {
                return other;
            }
        }
    }

    @Test
    void connections_areTwoForEachPrimary_howeverOftenTheyChange() throws Exception {
        Baton client = connect();
        for (int i = 0; i < 64; i++) {
            client.lock("name" + i).acquire().close();
        }
        List<RedisServer> all = new ArrayList<>(set.members());
        for (int round = 0; round < CHANGES; round++) {
            set.switchOver(slot("name" + round));
            set.awaitComplete(LIMIT);
            client.lock("name" + round).acquire().close();
        }
        for (RedisServer primary : set.primaries()) {
            until("two connections to each primary", () -> Clients.connections(primary) == 2);
        }
        until(
                "none to others",
                () -> all.stream().mapToLong(Clients::connections).sum() == 2L * 3);
    }
}
