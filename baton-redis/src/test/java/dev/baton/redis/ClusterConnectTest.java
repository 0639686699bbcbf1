package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisCluster;
import dev.baton.servers.RedisServer;
import dev.baton.servers.net.FreePort;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How clients find the primaries of a cluster, and what they say of it. */
@Tag("serial")
class ClusterConnectTest {
    private static RedisCluster set;

    @BeforeAll
    static void start() {
        set = RedisCluster.builder().replicas(0).start();
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    private static Baton connect(String uri) {
        return Baton.connect(uri, options().build());
    }

    @Test
    void primaryWithoutAReplica_isWarnedOf() {
        try (Baton client = connect(set.uri())) {
            RedisServer primary = set.primaries().get(0);
            assertThat(client.admin().examine().warnings())
                    .contains("the primary 127.0.0.1:" + primary.port()
                            + " of the cluster has no replica: if it fails, its"
                            + " part of the names cannot be locked until it is back");
        }
    }

    @Test
    void facts_nameEachPrimary_andSayOnceWhatIsTheSame() {
        try (Baton client = connect(set.uri())) {
            Map<String, String> facts = client.admin().examine().facts();
            assertThat(facts).containsKeys("version", "what can still go wrong");
            assertThat(facts.get("address")).isEqualTo("a cluster; the namespace is on 3 of its primaries");
            for (RedisServer primary : set.primaries()) {
                assertThat(facts.get("primary 127.0.0.1:" + primary.port()))
                        .endsWith("of 64 parts of the namespace, 0 replicas");
            }
            assertThat(facts.keySet()).noneMatch(fact -> fact.contains(" at the shard of "));
        }
    }

    @Test
    void nodeThatIsGone_isPassedOver_ifAnotherIsNamed() throws Exception {
        String others = set.uri().replace("redis+cluster://", "");
        try (Baton client = connect("redis+cluster://127.0.0.1:" + FreePort.next() + ',' + others);
                Lease lease = client.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void addressOfAnotherKind_isRefused_withTheRightOne() {
        RedisServer node = set.primaries().get(0);
        assertThatThrownBy(() -> connect(node.uri()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("write redis+cluster://");
        RedisServer alone = RedisServer.shared();
        assertThatThrownBy(() -> connect("redis+cluster://127.0.0.1:" + alone.port()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is not a node of a cluster: write redis://");
    }

    /** A second client of a new namespace, while the first one makes it, must not take it for a forgotten one. */
    @Test
    void newNamespace_beginsWithoutAGracePeriod_forAllThatConnectAtOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            String namespace = "new" + round;
            Work<Baton> one = Mode.SYNC.start(() -> newClient(namespace));
            Work<Baton> two = Mode.SYNC.start(() -> newClient(namespace));
            try (Baton first = one.get();
                    Baton second = two.get()) {
                for (int i = 0; i < 8; i++) {
                    assertThat(first.lock("a" + i).tryAcquire()).isPresent();
                    assertThat(second.lock("b" + i).tryAcquire()).isPresent();
                }
            }
        }
    }

    private static Baton newClient(String namespace) {
        return Baton.connect(set.uri(), options().namespace(namespace).build());
    }
}
