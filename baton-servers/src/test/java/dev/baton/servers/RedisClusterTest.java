package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("serial")
@Timeout(120)
class RedisClusterTest {
    private static final Duration FAILOVER = Duration.ofSeconds(30);
    private static final Duration REPAIR = Duration.ofSeconds(40);
    private static final int LIMIT_MILLIS = 10_000;

    /** A start takes 2 s, so most tests share one. Each may change it. */
    private static RedisCluster all;

    @BeforeAll
    static void start() {
        all = RedisCluster.start();
    }

    @AfterAll
    static void close() {
        all.close();
    }

    @BeforeEach
    void repair() {
        all.rejoinMissing();
        all.keepTail();
        all.awaitComplete(REPAIR);
        all.primaries().forEach(primary -> primary.command("FLUSHALL"));
    }

    @Test
    void start_returnsACompleteCluster_withAnAddressOfItsFirstPrimaries() {
        List<ProcessHandle> processes;
        try (RedisCluster cluster = RedisCluster.start()) {
            List<RedisServer> members = cluster.members();
            assertThat(members).hasSize(6).allMatch(member -> member.port() < 22_768);
            assertThat(cluster.primaries()).isEqualTo(members.subList(0, 3));
            for (int i = 0; i < 3; i++) {
                assertThat(cluster.replicasOf(members.get(i))).containsExactly(members.get(3 + i));
                assertThat(cluster.replicasOf(members.get(3 + i))).isEmpty();
                assertThat(members.get(i).info("replication"))
                        .containsEntry("role", "master")
                        .containsEntry("connected_slaves", "1");
            }
            assertThat(Stream.of(0, 5_461, 16_383).map(cluster::primaryOf))
                    .containsExactlyElementsOf(members.subList(0, 3));
            assertThat(cluster.uri())
                    .isEqualTo("redis+cluster://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d"
                            .formatted(
                                    members.get(0).port(),
                                    members.get(1).port(),
                                    members.get(2).port()));
            processes = members.stream()
                    .map(member -> ProcessHandle.of(member.pid()).orElseThrow())
                    .toList();
            assertThat(processes).allMatch(ProcessHandle::isAlive);
        }
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void slotOfAKey_isThatOfTheServer() throws IOException {
        try (RespConnection connection = all.members().get(0).connect(LIMIT_MILLIS)) {
            List<String> keys = IntStream.range(0, 50)
                    .boxed()
                    .flatMap(i -> Stream.of(
                            "baton:schlüssel:" + i, "{baton:" + i + "}:lock", "a{" + i + "}b{c}", "{}" + i + "}{" + i))
                    .toList();
            assertThat(keys).hasSize(200);
            for (String key : keys) {
                assertThat(connection.call("CLUSTER", "KEYSLOT", key)).as(key).isEqualTo((long)
                        RedisCluster.slotOf(key));
            }
        }
        assertThat(RedisCluster.slotOf("{user}:1")).isEqualTo(RedisCluster.slotOf("{user}:2"));
    }

    @Test
    void primaryThatIsKilled_afterItsTailWasCutOff_losesTheTailAlone_andRejoinsAsAReplica() {
        int slot = RedisCluster.slotOf("{tail}");
        RedisServer first = all.primaryOf(slot);
        RedisServer replica = all.replicasOf(first).get(0);
        first.command("SET", "{tail}:before", "1");
        all.loseTail(first);
        first.command("SET", "{tail}:after", "1");
        assertThat(all.killPrimary(slot)).isSameAs(first);
        assertThatThrownBy(() -> all.rejoin(first)).isInstanceOf(IllegalArgumentException.class);

        RedisServer second = all.awaitPrimaryOtherThan(first, slot, FAILOVER);
        assertThat(second).isSameAs(replica).isSameAs(all.primaryOf(slot));
        assertThat(all.primaries()).hasSize(3).contains(second).doesNotContain(first);
        assertThat(second.command("EXISTS", "{tail}:before")).isEqualTo(1L);
        assertThat(second.command("EXISTS", "{tail}:after")).isEqualTo(0L);

        all.rejoin(first);
        assertThat(first.info("replication"))
                .containsEntry("role", "slave")
                .containsEntry("master_port", Integer.toString(second.port()));
        all.awaitComplete(REPAIR);
        assertThat(all.replicasOf(second)).containsExactly(first);
        assertThat(first.command("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
                .isEqualTo(1L);
        // It is allowed replicas again.
        assertThat(all.switchOver(slot)).isSameAs(first);
        all.awaitComplete(REPAIR);
    }

    @Test
    void frozenPrimary_thatIsRevived_isAReplica() {
        RedisServer first = all.primaryOf(0);
        first.pause();
        RedisServer second = all.awaitPrimaryOtherThan(first, 0, FAILOVER);
        assertThat(second).isNotSameAs(first);
        first.resume();
        assertThat(all.primaryOf(0)).isSameAs(second);
        all.awaitComplete(REPAIR);
        assertThat(all.replicasOf(second)).containsExactly(first);
    }

    @Test
    void switchOver_losesNothing_andCanFollowAnother() {
        int slot = RedisCluster.slotOf("key");
        for (int i = 0; i < 3; i++) {
            RedisServer former = all.primaryOf(slot);
            former.command("SET", "key", Integer.toString(i));
            RedisServer now = all.switchOver(slot);
            assertThat(now).isNotSameAs(former).isSameAs(all.primaryOf(slot));
            assertThat(now.command("GET", "key")).isEqualTo(Integer.toString(i));
            assertThat(all.replicasOf(now)).containsExactly(former);
        }
    }

    @Test
    void awaitReplicas_fails_whileAReplicaLacksAWrite() {
        RedisServer primary = all.primaryOf(RedisCluster.slotOf("key"));
        RedisServer replica = all.replicasOf(primary).get(0);
        // Its link stays, and it answers.
        replica.command("CLIENT", "PAUSE", "60000", "WRITE");
        primary.command("SET", "key", "1");
        assertThatThrownBy(() -> all.awaitReplicas(primary))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("all writes of the primary on port " + primary.port());
        replica.command("CLIENT", "UNPAUSE");
        all.awaitReplicas(primary);
    }

    @Test
    void tailThatIsKept_arrives() {
        int slot = RedisCluster.slotOf("key");
        RedisServer primary = all.primaryOf(slot);
        RedisServer replica = all.replicasOf(primary).get(0);
        all.loseTail(primary);
        primary.command("SET", "key", "1");
        String[] count = {"CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)};
        assertThat(replica.command(count)).isEqualTo(0L);
        all.keepTail();
        all.awaitComplete(REPAIR);
        assertThat(replica.command(count)).isEqualTo(1L);
    }

    @Test
    void slotThatIsMoved_hasItsKeysOnItsNewPrimary() {
        int slot = RedisCluster.slotOf("key");
        RedisServer source = all.primaryOf(slot);
        RedisServer target = otherThan(source);
        source.command("SET", "key", "value");
        all.move(slot, target);
        assertThat(all.primaryOf(slot)).isSameAs(target);
        assertThat(target.command("GET", "key")).isEqualTo("value");
        assertThat(all.members())
                .filteredOn(member -> member != target)
                .allSatisfy(member -> assertThatThrownBy(() -> member.command("GET", "key"))
                        .isInstanceOf(RedisErrorReply.class)
                        .hasMessage("MOVED %d 127.0.0.1:%d", slot, target.port()));
        all.awaitComplete(REPAIR);
    }

    @Test
    void slotThatIsHalfMoved_asksElsewhere_forKeysThatAreGone() throws IOException {
        int slot = RedisCluster.slotOf("{half}");
        RedisServer source = all.primaryOf(slot);
        RedisServer target = otherThan(source);
        for (int i = 0; i < 3; i++) {
            source.command("SET", "{half}:" + i, "value");
        }
        all.beginMove(slot, target);
        assertThat(source.command("MGET", "{half}:0", "{half}:1", "{half}:2"))
                .isEqualTo(List.of("value", "value", "value"));
        assertThat(all.moveKeys(slot, target, 2)).isEqualTo(2);

        assertThat(all.primaryOf(slot)).isSameAs(source);
        List<String> gone = IntStream.range(0, 3)
                .mapToObj(i -> "{half}:" + i)
                .filter(key -> isAskedFor(key, source, target))
                .toList();
        assertThat(gone).hasSize(2);
        try (RespConnection connection = target.connect(LIMIT_MILLIS)) {
            assertThatThrownBy(() -> connection.call("GET", gone.get(0))).hasMessageStartingWith("MOVED ");
            assertThat(connection.call("ASKING")).isEqualTo("OK");
            assertThat(connection.call("GET", gone.get(0))).isEqualTo("value");
        }
        assertThatThrownBy(() -> all.endMove(slot, target)).hasMessageContaining("slot " + slot + " has 1 keys");

        assertThat(all.moveKeys(slot, target, 2)).isEqualTo(1);
        assertThat(all.moveKeys(slot, target, 2)).isZero();
        all.endMove(slot, target);
        assertThat(target.command("EXISTS", "{half}:0", "{half}:1", "{half}:2")).isEqualTo(3L);
    }

    private static boolean isAskedFor(String key, RedisServer source, RedisServer target) {
        try {
            assertThat(source.command("GET", key)).isEqualTo("value");
            return false;
        } catch (RedisErrorReply reply) {
            assertThat(reply).hasMessage("ASK %d 127.0.0.1:%d", RedisCluster.slotOf(key), target.port());
            return true;
        }
    }

    @Test
    void await_thatFails_saysWhatItSaw() {
        try (RedisCluster cluster = RedisCluster.builder()
                .shards(1)
                .replicas(1)
                .nodeTimeout(Duration.ofSeconds(5))
                .start()) {
            RedisServer primary = cluster.primaryOf(0);
            assertThat(primary.command("CONFIG", "GET", "cluster-node-timeout"))
                    .isEqualTo(List.of("cluster-node-timeout", "5000"));
            RedisServer replica = cluster.replicasOf(primary).get(0);
            replica.kill();
            assertThatThrownBy(() -> cluster.switchOver(0)).hasMessageContaining("no replica can take over");
            assertThatThrownBy(() -> cluster.awaitPrimaryOtherThan(primary, 0, Duration.ofMillis(200)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another primary of slot 0 than the one on port " + primary.port())
                    .hasMessageContaining("node " + primary.port() + ": ClusterView[serves=true, nodes=[Node[id=")
                    .hasMessageContaining("slots=[0-16383]")
                    .hasMessageContaining("member " + primary.port() + ": {role=master")
                    .hasMessageContaining("member " + replica.port() + ": java.net.ConnectException");
            assertThatThrownBy(() -> cluster.awaitComplete(Duration.ofMillis(200)))
                    .hasMessageContaining("all members agree");
            primary.kill();
            assertThatThrownBy(() -> cluster.primaryOf(0)).hasMessageContaining("no member answers");
        }
    }

    @Test
    void tls_andUsersOfTheirOwn_areKeptThroughASwitchOver_andAMove() throws IOException {
        try (RedisCluster cluster = RedisCluster.builder()
                .shards(2)
                .tls()
                .config("maxmemory", "10mb")
                .aclUser("user baton on >data ~baton:* +@all")
                .aclUser("user default off")
                .start()) {
            assertThat(cluster.uri()).startsWith("rediss+cluster://localhost:").contains(",localhost:");
            int slot = RedisCluster.slotOf("baton:key");
            RedisServer first = cluster.primaryOf(slot);
            assertThat(first.command("CONFIG", "GET", "maxmemory")).isEqualTo(List.of("maxmemory", "10485760"));
            try (RespConnection connection = connect(cluster, first)) {
                assertThatThrownBy(() -> connection.call("PING")).hasMessageStartingWith("NOAUTH");
                assertThat(connection.call("AUTH", "baton", "data")).isEqualTo("OK");
                assertThat(connection.call("SET", "baton:key", "value")).isEqualTo("OK");
            }
            RedisServer second = cluster.switchOver(slot);
            RedisServer target = cluster.primaries().stream()
                    .filter(member -> member != second)
                    .findFirst()
                    .orElseThrow();
            cluster.move(slot, target);
            try (RespConnection connection = connect(cluster, target)) {
                assertThat(connection.call("AUTH", "baton", "data")).isEqualTo("OK");
                assertThat(connection.call("GET", "baton:key")).isEqualTo("value");
            }
        }
    }

    private static RedisServer otherThan(RedisServer source) {
        return all.primaries().stream()
                .filter(member -> member != source)
                .findFirst()
                .orElseThrow();
    }

    private static RespConnection connect(RedisCluster cluster, RedisServer server) throws IOException {
        return RespConnection.open("127.0.0.1", server.port(), cluster.sslContext(), LIMIT_MILLIS);
    }
}
