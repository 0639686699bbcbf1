package dev.baton.redis;

import static dev.baton.redis.Clients.GRACE;
import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static dev.baton.spi.Protocol.BUCKETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.servers.RedisCluster;
import dev.baton.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that take locks and pass them on while the slots of all buckets move from primary to primary. */
@Tag("serial")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class ClusterMovesTest {
    private static final Duration TIME =
            Boolean.getBoolean("baton.nightly") ? Duration.ofMinutes(15) : Duration.ofSeconds(8);
    private static final Duration LEASE = Duration.ofSeconds(10);

    /** Longer than a busy machine stalls: a replica that takes over in the middle of a move has other keys. */
    private static final Duration NO_FAILOVER = Duration.ofSeconds(15);

    private static final int NAMES = 12;
    private static final int CLIENTS = 3;
    private static final int KEYS_AT_ONCE = 2;

    @ParameterizedTest
    @CsvSource({"0, '', 2", "1, ?replicated=1, 3"})
    @DisplayName("P33: locks_areExact_whileSlotsMove")
    void locks_areExact_whileSlotsMove(int replicas, String writes, int connections) throws Exception {
        try (RedisCluster set = RedisCluster.builder()
                        .replicas(replicas)
                        .nodeTimeout(NO_FAILOVER)
                        .start();
                Clients clients = new Clients()) {
            List<Baton> all = Stream.generate(() -> clients.connect(
                            set.uri() + writes, options().leaseTime(LEASE).build()))
                    .limit(CLIENTS)
                    .toList();
            List<Fight> fights = IntStream.range(0, NAMES)
                    .mapToObj(i -> new Fight("name" + i, all, 1))
                    .toList();
            int moved = moveAll(set);
            assertThat(moved).isGreaterThan(5);
            for (Fight fight : fights) {
                fight.end(moved + " moves of slots");
                assertThat(fight.turns()).isGreaterThan(CLIENTS);
            }
            for (RedisServer primary : set.primaries()) {
                until(
                        connections + " connections of each client",
                        () -> Clients.connections(primary) == (long) connections * CLIENTS);
            }
            until("one subscription of each client for each bucket", () -> subscriptions(set) == CLIENTS * BUCKETS);
            print(moved + " slots moved in " + TIME.toSeconds() + " s " + writes, fights);
        }
    }

    private static long subscriptions(RedisCluster set) {
        return set.primaries().stream()
                .mapToLong(each -> ((List<?>) each.command("PUBSUB", "SHARDCHANNELS")).size())
                .sum();
    }

    private static void print(String what, List<Fight> fights) {
        // A lock is granted some hundred times a second, but for the grace period after a move.
        List<Duration> pauses = fights.stream()
                .flatMap(fight -> fight.pauses(GRACE.dividedBy(2)).stream())
                .sorted()
                .toList();
        System.out.println(what + ": " + fights.stream().mapToInt(Fight::turns).sum() + " turns, "
                + fights.stream().mapToInt(Fight::failures).sum() + " callers were told of a failure, " + pauses.size()
                + " times a lock was not granted for "
                + (pauses.isEmpty()
                        ? ""
                        : pauses.get(pauses.size() / 2).toMillis() + " ms, at most "
                                + pauses.get(pauses.size() - 1).toMillis())
                + " ms");
    }

    /** Moves the slots of buckets, in no order, a few keys at a time. */
    private static int moveAll(RedisCluster set) throws InterruptedException {
        List<Integer> slots = new Keys("tck").slots();
        SplittableRandom random = new SplittableRandom(7);
        long begun = System.nanoTime();
        int moved = 0;
        while (since(begun).compareTo(TIME) < 0) {
            int slot = slots.get(random.nextInt(slots.size()));
            RedisServer from = set.primaryOf(slot);
            List<RedisServer> others =
                    set.primaries().stream().filter(each -> each != from).toList();
            RedisServer to = others.get(random.nextInt(others.size()));
            set.move(slot, to, KEYS_AT_ONCE, () -> Thread.sleep(random.nextInt(3)));
            moved++;
            Thread.sleep(random.nextInt(200));
        }
        return moved;
    }
}
