package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.since;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that take locks and pass them on while the slots of all buckets move from primary to primary. */
@Tag("serial")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class ClusterMovesTest {
    private static final Duration TIME =
            Boolean.getBoolean("baton.nightly") ? Duration.ofMinutes(30) : Duration.ofSeconds(12);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final int NAMES = 12;
    private static final int CLIENTS = 3;
    private static final int KEYS_AT_ONCE = 2;

    @Test
    @DisplayName("P33: locks_areExact_whileSlotsMove")
    void locks_areExact_whileSlotsMove() throws Exception {
        try (RedisCluster set = RedisCluster.builder().replicas(0).start();
                Clients clients = new Clients()) {
            List<Baton> all = Stream.generate(() -> clients.connect(
                            set.uri(), options().leaseTime(LEASE).build()))
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
            System.out.println(moved + " slots moved in " + TIME.toSeconds() + " s: "
                    + fights.stream().mapToInt(Fight::turns).sum() + " turns, "
                    + fights.stream().mapToInt(Fight::failures).sum() + " callers were told of a failure");
        }
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
            set.beginMove(slot, to);
            while (set.moveKeys(slot, to, KEYS_AT_ONCE) > 0) {
                Thread.sleep(random.nextInt(3));
            }
            set.endMove(slot, to);
            moved++;
            Thread.sleep(random.nextInt(200));
        }
        return moved;
    }
}
