package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("serial")
@Timeout(120)
class RedisSentinelsTest {
    private static final Duration FAILOVER = Duration.ofSeconds(30);
    private static final Duration REPAIR = Duration.ofSeconds(40);
    private static final int LIMIT_MILLIS = 10_000;

    /** So long that the replicas' link is down longer than sentinels usually accept, too. */
    private static final int LONGER_THAN_A_FAILOVER_MILLIS = 6_000;

    @Test
    void start_returnsACompleteSet_withAnAddressOfAllSentinels() {
        List<ProcessHandle> processes;
        try (RedisSentinels all = RedisSentinels.start()) {
            assertThat(all.members()).hasSize(3).contains(all.primary());
            assertThat(all.sentinels()).hasSize(3);
            assertThat(all.primary().info("replication"))
                    .containsEntry("role", "master")
                    .containsEntry("connected_slaves", "2");
            int[] ports = all.sentinels().stream().mapToInt(RedisServer::port).toArray();
            assertThat(all.uri())
                    .isEqualTo("redis+sentinel://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d/baton"
                            .formatted(ports[0], ports[1], ports[2]));
            processes = processes(all);
            assertThat(processes).hasSize(6).allMatch(ProcessHandle::isAlive);
        }
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void primaryThatIsKilled_afterItsTailWasCutOff_losesTheTailAlone() {
        try (RedisSentinels all = RedisSentinels.start()) {
            RedisServer first = all.primary();
            first.command("SET", "before", "1");
            assertThat(all.loseTail()).isSameAs(first);
            first.command("SET", "after", "1");
            assertThat(all.killPrimary()).isSameAs(first);

            RedisServer second = all.awaitPrimaryOtherThan(first, FAILOVER);
            assertThat(second.command("EXISTS", "before")).isEqualTo(1L);
            assertThat(second.command("EXISTS", "after")).isEqualTo(0L);

            assertThatThrownBy(() -> all.rejoin(second)).isInstanceOf(IllegalArgumentException.class);
            all.rejoin(first);
            all.awaitComplete(REPAIR);
            assertThat(first.command("EXISTS", "before")).isEqualTo(1L);
            assertThat(first.info("replication")).containsEntry("master_port", Integer.toString(second.port()));

            // It is allowed replicas again.
            assertThat(all.switchOver()).isNotSameAs(second);
        }
    }

    @Test
    void primaryThatIsKilled_losesNothingThatHasArrived_andComesBackAsWhatSentinelMakesOfIt() {
        try (RedisSentinels all = RedisSentinels.start()) {
            hurry(all);
            RedisServer first = all.primary();
            first.command("SET", "key", "1");
            assertThat(all.awaitReplicas()).isSameAs(first);
            all.killPrimary();
            RedisServer second = all.awaitPrimaryOtherThan(first, FAILOVER);
            assertThat(second.command("EXISTS", "key")).isEqualTo(1L);

            first.restart();
            assertThat(first.info("replication")).containsEntry("role", "master");
            all.awaitComplete(REPAIR);
            assertThat(first.info("replication")).containsEntry("role", "slave");
            // Sentinel has written this into its configuration, which a start must not undo.
            first.restart();
            assertThat(first.info("replication"))
                    .containsEntry("role", "slave")
                    .containsEntry("master_port", Integer.toString(second.port()));
        }
    }

    @Test
    void frozenPrimary_thatIsRevived_takesWrites_untilItIsDemoted() {
        try (RedisSentinels all = RedisSentinels.start()) {
            hurry(all);
            RedisServer first = all.loseTail();
            first.pause();
            assertThat(all.awaitPrimaryOtherThan(first, FAILOVER)).isNotSameAs(first);
            first.resume();
            assertThat(first.command("SET", "key", "1")).isEqualTo("OK");
            all.awaitComplete(REPAIR);
            assertThat(first.info("replication")).containsEntry("role", "slave");
        }
    }

    @Test
    void primary_isAllowedReplicasAgain_whenTheTailIsKept() {
        try (RedisSentinels all = RedisSentinels.start()) {
            hurry(all);
            RedisServer first = all.loseTail();
            first.command("SET", "key", "1");
            RedisServer second = all.switchOver();
            assertThat(second.command("EXISTS", "key")).isEqualTo(0L);
            // The former primary writes its configuration when it is demoted: with the user that is off.
            all.awaitComplete(REPAIR);
            all.keepTail();
            // Of replicas with the same data, Sentinel always takes the same one.
            first.command("CONFIG", "SET", "replica-priority", "1");
            while (all.primary() != first) {
                all.switchOver();
                all.awaitComplete(REPAIR);
            }
            assertThat(first.info("replication")).containsEntry("connected_slaves", "2");
        }
    }

    @Test
    void switchOver_beginsAgain_whenSentinelGaveUp() {
        try (RedisSentinels all = RedisSentinels.start()) {
            hurry(all);
            RedisServer first = all.loseTail();
            List<RedisServer> replicas =
                    all.members().stream().filter(member -> member != first).toList();
            replicas.forEach(RedisServer::pause);
            CompletableFuture<Void> revival = CompletableFuture.runAsync(
                    () -> replicas.forEach(RedisServer::resume),
                    CompletableFuture.delayedExecutor(LONGER_THAN_A_FAILOVER_MILLIS, TimeUnit.MILLISECONDS));
            assertThat(all.switchOver()).isNotSameAs(first);
            assertThat(revival).isCompleted();
        }
    }

    @Test
    void await_thatFails_saysWhatItSaw() {
        try (RedisSentinels all =
                RedisSentinels.builder().replicas(1).sentinels(1).name("other").start()) {
            RedisServer primary = all.primary();
            all.members().get(1).kill();
            assertThatThrownBy(() -> all.awaitPrimaryOtherThan(primary, Duration.ofMillis(200)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another primary than the one on port " + primary.port())
                    .hasMessageContaining(
                            "sentinel " + all.sentinels().get(0).port() + ": SentinelView[port=" + primary.port())
                    .hasMessageContaining("member " + primary.port() + ": {role=master")
                    .hasMessageContaining("member " + all.members().get(1).port() + ": java.net.ConnectException");
            all.sentinels().get(0).kill();
            assertThatThrownBy(all::primary).hasMessageContaining("no sentinel answers");
        }
    }

    @Test
    void tls_andUsersOfTheirOwn_areKeptThroughAFailover() throws IOException {
        try (RedisSentinels all = RedisSentinels.builder()
                .tls()
                .aclUser("user baton on >data ~baton:* +@all")
                .aclUser("user default off")
                .sentinelAclUser("user watcher on >sentinel +@all")
                .sentinelAclUser("user default off")
                .start()) {
            assertThat(all.uri()).startsWith("rediss+sentinel://localhost:").endsWith("/baton");
            RedisServer sentinel = all.sentinels().get(0);
            try (RespConnection connection = connect(all, sentinel)) {
                assertThatThrownBy(() -> connection.call("PING")).hasMessageStartingWith("NOAUTH");
                assertThatThrownBy(() -> connection.call("AUTH", "baton", "data"))
                        .hasMessageStartingWith("WRONGPASS");
                assertThat(connection.call("AUTH", "watcher", "sentinel")).isEqualTo("OK");
                assertThat(connection.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "baton"))
                        .isEqualTo(List.of(
                                "127.0.0.1", Integer.toString(all.primary().port())));
            }
            set(all, all.primary(), "baton:before");
            RedisServer first = all.loseTail();
            set(all, first, "baton:after");
            first.kill();
            RedisServer second = all.awaitPrimaryOtherThan(first, FAILOVER);
            assertThat(second.command("KEYS", "*")).isEqualTo(List.of("baton:before"));
            set(all, second, "baton:new");
        }
    }

    private static void set(RedisSentinels all, RedisServer member, String key) throws IOException {
        try (RespConnection connection = connect(all, member)) {
            assertThat(connection.call("AUTH", "baton", "data")).isEqualTo("OK");
            assertThat(connection.call("SET", key, "1")).isEqualTo("OK");
        }
    }

    private static RespConnection connect(RedisSentinels all, RedisServer server) throws IOException {
        return RespConnection.open("127.0.0.1", server.port(), all.sslContext(), LIMIT_MILLIS);
    }

    /** Lets sentinels notice within a second what they notice within ten: a server that says it is the primary. */
    private static void hurry(RedisSentinels all) {
        for (RedisServer sentinel : all.sentinels()) {
            sentinel.command("SENTINEL", "DEBUG", "publish-period", "200", "info-period", "200");
        }
    }

    private static List<ProcessHandle> processes(RedisSentinels all) {
        return Stream.concat(all.members().stream(), all.sentinels().stream())
                .map(server -> ProcessHandle.of(server.pid()).orElseThrow())
                .toList();
    }
}
