package dev.baton.chaos.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.client.ClientJvm;
import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.client.ClientTeam;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Effects;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.NameSet;
import dev.baton.servers.RedisSentinels;
import dev.baton.servers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each fault does to the servers what it says, and leaves them complete. There are no clients: a writer plays them. */
@Tag("serial")
@Timeout(300)
class SentinelFaultsTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration COMPLETE = Duration.ofSeconds(60);

    @TempDir
    private static Path directory;

    private static RedisSentinels servers;
    private static Stage stage;
    private static Map<String, Fault> faults;

    @BeforeAll
    static void start() throws Exception {
        servers = RedisSentinels.start();
        // A second primary is seen after four seconds instead of ten.
        servers.sentinels()
                .forEach(each -> each.command("SENTINEL", "DEBUG", "publish-period", "1000", "info-period", "500"));
        ClientSettings settings = new ClientSettings(
                ClientSettings.BATON, servers.uri(), directory, 0, 1, NameSet.locks(1), LEASE, 2, 1, 0, GRACE);
        ClientTeam none = new ClientTeam(settings, 0, () -> null, (host, port) -> "", place -> null);
        stage = new Stage(none, LEASE, Witness.in(directory, 1));
        faults = new TreeMap<>();
        new SentinelFaults(() -> servers, GRACE).all().forEach(fault -> faults.put(fault.id(), fault));
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    /** Writes a record with a hold: deadline, token and attempt, and what else a record has. */
    private static final String TAKE = "return redis.call('SET', KEYS[1], struct.pack('<Bddd',"
            + " 1, (redis.call('TIME')[1] + 60) * 1e6, ARGV[1], 1) .. string.rep(' ', 66), 'PX', 60000)";

    /** Takes locks at the server that it began with, as a client that has not heard of another one, while a fault happens. */
    private static Effects during(String fault, LongConsumer step) throws Exception {
        RedisServer primary = servers.primary();
        Thread writer = new Thread(() -> {
            for (long number = 0; !Thread.currentThread().isInterrupted(); number++) {
                try {
                    take(primary, "tail-" + number);
                    step.accept(number);
                } catch (RuntimeException downOrReplica) {
                    return;
                }
            }
        });
        writer.start();
        try {
            return faults.get(fault).happen(stage, new SplittableRandom(3));
        } finally {
            writer.interrupt();
            writer.join();
        }
    }

    private static void take(RedisServer server, String name) {
        String key = "chaos:{7}:r:" + name;
        server.command("EVAL", TAKE, "1", key, Long.toString(HostTime.nanos()));
        server.command("HSET", "chaos:{7}:b", "h", "1");
    }

    private static void assertComplete() {
        servers.awaitComplete(COMPLETE);
        assertThat(servers.members().stream()
                        .filter(member ->
                                "master".equals(member.info("replication").get("role"))))
                .hasSize(1);
    }

    @Test
    void failoverWithLostTail_countsTheLocksOfTheTailAlone() throws Exception {
        RedisServer former = servers.primary();
        take(former, "kept");
        long[] last = new long[1];
        long began = HostTime.nanos();
        Effects effects = during("failover-lost-tail", number -> last[0] = number);

        RedisServer now = servers.primary();
        assertThat(now).isNotSameAs(former);
        assertThat(RedisRecords.of(now)).contains("chaos:{7}:r:kept").doesNotContain("chaos:{7}:r:tail-" + last[0]);
        assertThat(effects.effects()).isPositive().isLessThanOrEqualTo(last[0] + 1);
        assertThat(effects.damagedNanos()).isGreaterThanOrEqualTo(began);
        assertComplete();
        assertThat(RedisRecords.of(former)).isEqualTo(RedisRecords.of(now));
    }

    @Test
    void holdsOfAServer_areThoseThatLast_withTheirTokens() {
        RedisServer primary = servers.primary();
        take(primary, "lasts");
        primary.command("EVAL", TAKE.replace("+ 60", "- 1"), "1", "chaos:{7}:r:over", "5");
        primary.command(
                "EVAL",
                "return redis.call('SET', KEYS[1], cmsgpack.pack({ h = { { d = 1e18, t = 7 }, { d = 1, t = 8 } } }))",
                "1",
                "chaos:{7}:r:packed");
        primary.command(
                "EVAL",
                "return redis.call('SET', KEYS[1], '\\2' .. string.rep(' ', 48) .. struct.pack('<dd', 1e18, 9))",
                "1",
                "chaos:{7}:r:queue");
        assertThat(RedisRecords.held(primary))
                .contains("chaos:{7}:r:packed 7", "chaos:{7}:r:queue 9")
                .anyMatch(hold -> hold.startsWith("chaos:{7}:r:lasts "))
                .noneMatch(hold -> hold.contains("over") || hold.endsWith(" 8"));
        primary.command("DEL", "chaos:{7}:r:lasts", "chaos:{7}:r:over", "chaos:{7}:r:packed", "chaos:{7}:r:queue");
    }

    @Test
    void failoverWithLostTail_withoutLocksInIt_hasNoEffect() throws Exception {
        assertThat(faults.get("failover-lost-tail")
                        .happen(stage, new SplittableRandom(4))
                        .effects())
                .isZero();
        assertComplete();
    }

    @Test
    void failover_losesNothing() throws Exception {
        RedisServer former = servers.primary();
        take(former, "kept-too");
        assertThat(faults.get("failover").happen(stage, new SplittableRandom(5)).effects())
                .isEqualTo(1);
        assertThat(servers.primary()).isNotSameAs(former);
        assertThat(RedisRecords.of(servers.primary())).contains("chaos:{7}:r:kept-too");
        assertComplete();
    }

    @Test
    void lateClients_areStoppedDuringTheFailover_andGoOnAfterIt() throws Exception {
        RedisServer former = servers.primary();
        ClientSettings settings = new ClientSettings(
                ClientSettings.BATON, servers.uri(), directory, 0, 2, NameSet.locks(1), LEASE, 2, 1, 0, GRACE);
        try (ClientTeam team = new ClientTeam(settings, 3, () -> null, (host, port) -> "", place -> null)) {
            team.start();
            Stage clients = new Stage(team, LEASE, stage.witness());
            Effects effects = faults.get("failover-late-clients").happen(clients, new SplittableRandom(10));

            assertThat(effects.effects()).isEqualTo(2);
            assertThat(servers.primary()).isNotSameAs(former);
            assertComplete();
            for (ClientJvm client : team.members()) {
                assertThat(client.isStopped()).isFalse();
            }
            assertThat(team.finish(COMPLETE)).isEmpty();
        }
    }

    @Test
    void zooLock_thatAnotherOwnerHolds_isAnotherRecord() {
        RedisServer primary = servers.primary();
        primary.command("SET", "zoo:lock:x", "7 1:1", "PX", "60000");
        assertThat(RedisRecords.of(primary)).contains("zoo:lock:x 7 1:1");
        primary.command("SET", "zoo:lock:x", "8 1:2", "PX", "60000");
        assertThat(RedisRecords.of(primary)).contains("zoo:lock:x 8 1:2").doesNotContain("zoo:lock:x 7 1:1");
        primary.command("DEL", "zoo:lock:x");
    }

    @Test
    void switchOver_leavesAPrimaryThatTakesWrites_forAWhile() throws Exception {
        RedisServer former = servers.primary();
        assertThat(during("switch-over", number -> {}).effects()).isEqualTo(1);
        assertThat(servers.primary()).isNotSameAs(former);
        assertComplete();
    }

    @Test
    void frozenPrimary_comesBackAsAPrimary_forAWhile() throws Exception {
        RedisServer former = servers.primary();
        String process = former.info("server").get("run_id");
        assertThat(faults.get("primary-freeze")
                        .happen(stage, new SplittableRandom(6))
                        .effects())
                .isEqualTo(1);
        assertThat(servers.primary()).isNotSameAs(former);
        assertThat(former.info("server")).containsEntry("run_id", process);
        assertComplete();
    }

    @Test
    void failback_isToTheSameProcess_withoutTheTail() throws Exception {
        RedisServer first = servers.primary();
        String process = first.info("server").get("run_id");
        Thread writer = new Thread(() -> {
            for (int number = 0; !Thread.currentThread().isInterrupted(); number++) {
                try {
                    take(servers.primary(), "back-" + number);
                } catch (RuntimeException none) {
                    // There is no primary just now, or it has become a replica.
                }
            }
        });
        writer.start();
        Effects effects;
        try {
            effects = faults.get("failback").happen(stage, new SplittableRandom(7));
        } finally {
            writer.interrupt();
            writer.join();
        }
        assertThat(servers.primary()).isSameAs(first);
        assertThat(first.info("server")).containsEntry("run_id", process);
        assertThat(effects.effects()).isPositive();
        assertComplete();
    }

    @Test
    void bucketThatIsDeleted_isCounted() throws Exception {
        take(servers.primary(), "x");
        assertThat(RedisRecords.buckets(servers.primary())).containsExactly("chaos:{7}:b");
        Fault fault = faults.get("bucket-deleted");
        assertThat(fault.happen(stage, new SplittableRandom(8)).effects()).isEqualTo(1);
        assertThat(RedisRecords.buckets(servers.primary())).isEmpty();
        assertThat(fault.happen(stage, new SplittableRandom(8)).effects()).isZero();
    }

    @Test
    void primaryThatIsRestartedEmpty_emptiesItsReplicas() throws Exception {
        RedisServer primary = servers.primary();
        take(primary, "forgotten");
        assertThat(faults.get("restart-empty")
                        .happen(stage, new SplittableRandom(9))
                        .effects())
                .isPositive();
        assertThat(servers.primary()).isSameAs(primary);
        assertComplete();
        assertThat(servers.members()).allMatch(member -> RedisRecords.of(member).isEmpty());
    }

    @Test
    void faults_thatMakeItForget_areFollowedByTheGracePeriod() {
        assertThat(faults.values()).allMatch(fault -> fault.aftermath().equals(GRACE));
    }
}
