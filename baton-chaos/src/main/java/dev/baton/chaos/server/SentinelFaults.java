package dev.baton.chaos.server;

import dev.baton.chaos.client.ClientJvm;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.chaos.fault.Fault.Effects;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.RedisSentinels;
import dev.baton.servers.RedisServer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Failovers of a Redis with replicas and sentinels, with and without loss. Each one ends when all servers run and agree
 * again.
 *
 * @param servers the servers
 * @param grace how long nothing is granted after they may have forgotten
 */
record SentinelFaults(Supplier<RedisSentinels> servers, Duration grace) {
    private static final Duration FAILOVER = Duration.ofSeconds(30);
    private static final Duration REPAIR = Duration.ofSeconds(60);

    /** How long after a grace period the first lock is held again, at the latest. */
    private static final Duration SETTLE = Duration.ofSeconds(5);

    private static final Duration LOOK = Duration.ofMillis(50);

    /** Longer than a failover takes, so that the primary comes back to another one. */
    private static final Duration FREEZE = Duration.ofSeconds(10);

    /** Sentinel promotes no replica that was cut off for longer than 5 s. */
    private static final Duration LONGEST_TAIL = Duration.ofSeconds(3);

    private static final String SYNC_FILE = "dump.rdb";
    private static final String PRIORITY = "replica-priority";
    private static final String USUAL_PRIORITY = "100";

    /** Returns all of them. */
    List<Fault> all() {
        return List.of(
                fault("failover-lost-tail", this::failOverWithLoss),
                fault("failover", this::failOver),
                fault("failover-late-clients", this::failOverWithLateClients),
                fault("switch-over", this::switchOver),
                fault("primary-freeze", this::freezePrimary),
                fault("failback", this::failBack),
                fault("bucket-deleted", this::deleteBucket),
                fault("restart-empty", this::restartEmpty));
    }

    private Fault fault(String id, ServerFault.Course course) {
        return new ServerFault(id, Damage.FORGETS_THE_GONE, course, grace);
    }

    private Effects failOverWithLoss(Stage stage, SplittableRandom random) throws Exception {
        RedisSentinels all = servers.get();
        awaitHolds(all);
        long since = HostTime.nanos();
        RedisServer former = all.loseTail();
        try {
            HostTime.sleep(tail(stage, random));
            LostHolds lost = LostHolds.byDeathOf(former, all.members(), RedisRecords::held);
            RedisServer now = all.awaitPrimaryOtherThan(former, FAILOVER);
            HostTime.sleep(stage.leases(0, 1, random));
            return new Effects(RedisFaults.words(former, now), lost.withPrimary(now), since);
        } finally {
            repair(all);
        }
    }

    /** The grace period of the failover before has to end first, or there is nothing to lose. */
    private void awaitHolds(RedisSentinels all) throws InterruptedException {
        long began = HostTime.nanos();
        while (RedisRecords.held(all.primary()).isEmpty()
                && HostTime.since(began).compareTo(grace.plus(SETTLE)) < 0) {
            HostTime.sleep(LOOK);
        }
    }

    private static Duration tail(Stage stage, SplittableRandom random) {
        Duration tail = stage.leases(0.1, 1, random);
        return tail.compareTo(LONGEST_TAIL) < 0 ? tail : LONGEST_TAIL;
    }

    private Effects failOver(Stage stage, SplittableRandom random) throws Exception {
        RedisSentinels all = servers.get();
        RedisServer former = all.killPrimary();
        try {
            RedisServer now = all.awaitPrimaryOtherThan(former, FAILOVER);
            HostTime.sleep(stage.leases(0, 1, random));
            return new Effects(RedisFaults.words(former, now), 1);
        } finally {
            repair(all);
        }
    }

    /** While clients are stopped their leases end. They go on in the grace period of another primary, where others hold. */
    private Effects failOverWithLateClients(Stage stage, SplittableRandom random) throws Exception {
        RedisSentinels all = servers.get();
        List<ClientJvm> late = new ArrayList<>(stage.team().members());
        if (!late.isEmpty()) {
            late.remove(random.nextInt(late.size()));
        }
        try {
            Effects effects = failOverWithout(late, stage, random);
            HostTime.sleep(stage.leases(0.5, 1, random));
            return effects;
        } finally {
            repair(all);
        }
    }

    private Effects failOverWithout(List<ClientJvm> late, Stage stage, SplittableRandom random) throws Exception {
        RedisSentinels all = servers.get();
        try {
            for (ClientJvm client : late) {
                client.pause();
            }
            HostTime.sleep(stage.leases(1, 1.2, random));
            RedisServer former = all.killPrimary();
            RedisServer now = all.awaitPrimaryOtherThan(former, FAILOVER);
            HostTime.sleep(stage.leases(0, 0.4, random));
            long stopped = 0;
            for (ClientJvm client : late) {
                stopped += client.isStopped() ? 1 : 0;
            }
            return new Effects(RedisFaults.words(former, now), stopped);
        } finally {
            for (ClientJvm client : late) {
                client.resume();
            }
        }
    }

    private Effects switchOver(Stage stage, SplittableRandom random) {
        RedisSentinels all = servers.get();
        RedisServer former = all.primary();
        try {
            RedisServer now = all.switchOver();
            return new Effects(RedisFaults.words(former, now), primaries(all) - 1);
        } finally {
            repair(all);
        }
    }

    /** Returns how many members say that they are the primary. */
    private static long primaries(RedisSentinels all) {
        return all.members().stream().filter(SentinelFaults::isPrimary).count();
    }

    private static boolean isPrimary(RedisServer member) {
        return "master".equals(member.info("replication").get("role"));
    }

    private Effects freezePrimary(Stage stage, SplittableRandom random) throws Exception {
        RedisSentinels all = servers.get();
        RedisServer former = all.primary();
        long began = HostTime.nanos();
        former.pause();
        RedisServer now;
        try {
            now = all.awaitPrimaryOtherThan(former, FAILOVER);
            HostTime.sleep(FREEZE.minus(HostTime.since(began)));
        } finally {
            former.resume();
        }
        try {
            return new Effects(RedisFaults.words(former, now), primaries(all) - 1);
        } finally {
            repair(all);
        }
    }

    /** The process that was the primary before is it again: with the same run id, and without what was written last. */
    private Effects failBack(Stage stage, SplittableRandom random) throws Exception {
        RedisSentinels all = servers.get();
        RedisServer first = all.primary();
        String process = first.info("server").get("run_id");
        first.command("CONFIG", "SET", PRIORITY, "1");
        try {
            RedisServer second = all.switchOver();
            // As Sentinel will do in ten seconds.
            first.command("REPLICAOF", "127.0.0.1", Integer.toString(second.port()));
            all.awaitComplete(REPAIR);
            HostTime.sleep(stage.leases(0.2, 1, random));
            long since = HostTime.nanos();
            all.loseTail();
            HostTime.sleep(tail(stage, random));
            LostHolds lost = LostHolds.byDeathOf(second, all.members(), RedisRecords::held);
            RedisServer third = all.awaitPrimaryOtherThan(second, FAILOVER);
            boolean same = Objects.equals(third.info("server").get("run_id"), process);
            return new Effects(
                    first.port() + " to " + RedisFaults.words(second, third),
                    same ? lost.withPrimary(third) : 0,
                    since);
        } finally {
            first.command("CONFIG", "SET", PRIORITY, USUAL_PRIORITY);
            repair(all);
        }
    }

    private Effects deleteBucket(Stage stage, SplittableRandom random) {
        RedisServer primary = servers.get().primary();
        List<String> buckets = RedisRecords.buckets(primary);
        if (buckets.isEmpty()) {
            return new Effects("no bucket", 0);
        }
        String bucket = buckets.get(random.nextInt(buckets.size()));
        return new Effects(bucket, RedisFaults.number(primary.command("DEL", bucket)));
    }

    /** The primary is back, without data, before a sentinel has noticed: its replicas forget everything with it. */
    private Effects restartEmpty(Stage stage, SplittableRandom random) throws Exception {
        RedisSentinels all = servers.get();
        RedisServer primary = all.primary();
        primary.command("CLIENT", "PAUSE", LostHolds.STILL_MILLIS, "WRITE");
        long known = RedisRecords.held(primary).size();
        all.tolerateSilence(REPAIR);
        try {
            primary.kill();
            // What a former primary sent it, when it was a replica: without persistence it stays on the disk, too.
            Files.deleteIfExists(primary.data().resolve(SYNC_FILE));
            primary.restart();
            HostTime.sleep(stage.leases(0.5, 1, random));
            return new Effects("" + primary.port(), all.primary() == primary ? known : 0);
        } finally {
            all.tolerateUsualSilence();
            repair(all);
        }
    }

    /** Starts what does not run, and waits until all servers agree. */
    private static void repair(RedisSentinels all) {
        all.keepTail();
        all.rejoinMissing();
        all.awaitComplete(REPAIR);
    }
}
