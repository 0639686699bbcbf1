package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.chaos.fault.Fault.Effects;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.RedisCluster;
import dev.baton.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Failovers of one shard of a Redis Cluster, with and without loss, and slots that move. Each one ends when all nodes run and
 * agree again.
 *
 * @param servers the nodes
 * @param grace how long a bucket grants nothing after its shard may have forgotten
 */
record ClusterFaults(Supplier<RedisCluster> servers, Duration grace) {
    private static final Duration FAILOVER = Duration.ofSeconds(30);
    private static final Duration REPAIR = Duration.ofSeconds(60);

    /** Longer than a failover takes, so that the primary comes back to another one. */
    private static final Duration FREEZE = Duration.ofSeconds(6);

    private static final int MOST_MOVES = 8;
    private static final int KEYS_AT_ONCE = 2;
    private static final int LONGEST_PAUSE_MILLIS = 3;

    /** Returns all of them. */
    List<Fault> all() {
        return List.of(
                fault("failover-lost-tail", Damage.FORGETS_THE_GONE, this::failOverWithLoss),
                fault("failover", Damage.FORGETS_THE_GONE, this::failOver),
                fault("switch-over", Damage.NONE, this::switchOver),
                fault("primary-freeze", Damage.FORGETS_THE_GONE, this::freezePrimary),
                fault("slots-move", Damage.NONE, this::moveSlots),
                fault("sessions-kill", Damage.NONE, this::killSessions));
    }

    private Fault fault(String id, Damage damage, ServerFault.Course course) {
        return new ServerFault(id, damage, course, grace);
    }

    /** Returns the slot of a bucket that has been used, if there is one; otherwise any. */
    private static int slot(RedisCluster all, SplittableRandom random) {
        List<String> buckets = all.primaries().stream()
                .flatMap(primary -> RedisRecords.buckets(primary).stream())
                .toList();
        return buckets.isEmpty() ? 0 : RedisCluster.slotOf(buckets.get(random.nextInt(buckets.size())));
    }

    private Effects failOverWithLoss(Stage stage, SplittableRandom random) throws Exception {
        RedisCluster all = servers.get();
        int slot = slot(all, random);
        RedisServer former = all.primaryOf(slot);
        List<RedisServer> replicas = all.replicasOf(former);
        long since = HostTime.nanos();
        all.loseTail(former);
        try {
            HostTime.sleep(stage.leases(0.1, 1, random));
            LostHolds lost = LostHolds.byDeathOf(former, replicas, RedisRecords::names);
            RedisServer now = all.awaitPrimaryOtherThan(former, slot, FAILOVER);
            HostTime.sleep(stage.leases(0, 1, random));
            return new Effects(RedisFaults.words(former, now), lost.withPrimary(now), since);
        } finally {
            repair(all);
        }
    }

    private Effects failOver(Stage stage, SplittableRandom random) throws Exception {
        RedisCluster all = servers.get();
        int slot = slot(all, random);
        RedisServer former = all.killPrimary(slot);
        try {
            RedisServer now = all.awaitPrimaryOtherThan(former, slot, FAILOVER);
            HostTime.sleep(stage.leases(0, 1, random));
            return new Effects(RedisFaults.words(former, now), 1);
        } finally {
            repair(all);
        }
    }

    private Effects switchOver(Stage stage, SplittableRandom random) {
        RedisCluster all = servers.get();
        int slot = slot(all, random);
        RedisServer former = all.primaryOf(slot);
        try {
            return new Effects(RedisFaults.words(former, all.switchOver(slot)), 1);
        } finally {
            repair(all);
        }
    }

    private Effects freezePrimary(Stage stage, SplittableRandom random) throws Exception {
        RedisCluster all = servers.get();
        int slot = slot(all, random);
        RedisServer former = all.primaryOf(slot);
        long began = HostTime.nanos();
        former.pause();
        try {
            RedisServer now = all.awaitPrimaryOtherThan(former, slot, FAILOVER);
            HostTime.sleep(FREEZE.minus(HostTime.since(began)));
            return new Effects(RedisFaults.words(former, now), 1);
        } finally {
            former.resume();
            repair(all);
        }
    }

    /** Moves some slots with all their keys, a few keys at a time. */
    private Effects moveSlots(Stage stage, SplittableRandom random) throws Exception {
        RedisCluster all = servers.get();
        int moves = 1 + random.nextInt(MOST_MOVES);
        long keys = 0;
        for (int i = 0; i < moves; i++) {
            int slot = slot(all, random);
            RedisServer from = all.primaryOf(slot);
            List<RedisServer> others =
                    all.primaries().stream().filter(each -> each != from).toList();
            keys += all.move(
                    slot,
                    others.get(random.nextInt(others.size())),
                    KEYS_AT_ONCE,
                    () -> HostTime.sleep(Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS))));
            HostTime.sleep(stage.leases(0, 0.3, random));
        }
        return new Effects(moves + " slots", keys);
    }

    private Effects killSessions(Stage stage, SplittableRandom random) {
        List<RedisServer> primaries = servers.get().primaries();
        RedisServer primary = primaries.get(random.nextInt(primaries.size()));
        return new Effects("" + primary.port(), RedisFaults.killClients(primary, "normal", "pubsub"));
    }

    /** Starts what does not run, and waits until all nodes agree. */
    private static void repair(RedisCluster all) {
        all.keepTail();
        all.rejoinMissing();
        all.awaitComplete(REPAIR);
    }
}
