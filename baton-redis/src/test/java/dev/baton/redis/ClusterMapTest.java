package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;

/** What clients make of the answers of a cluster's nodes, word for word as these say it. */
class ClusterMapTest {
    private static final HostAndPort ASKED = new HostAndPort("near", 7001);

    /** As a node of Redis 7.0 says it; the first is in the middle of moving a slot. */
    private static final String THREE = """
            a1 127.0.0.1:7001@17001,,shard-id=69f master - 0 1795837589551 1 connected 0-5460 [99->-b2]
            b2 127.0.0.1:7002@17002 myself,master - 0 1795837589000 2 connected 5461-10922
            c3 127.0.0.1:7003@17003,c3.example.org master,fail? - 1 1 3 connected 10923-16382 16383
            d4 127.0.0.1:7004@17004 slave a1 0 1795837589551 1 connected
            e5 :0@0 slave,fail,noaddr b2 0 0 2 disconnected
            f6 127.0.0.1:7006@17006 handshake - 0 0 0 connected
            """;

    private static ClusterView view(String text) {
        return ClusterView.of(text, ASKED);
    }

    private static HostAndPort at(int port) {
        return new HostAndPort("127.0.0.1", port);
    }

    @Test
    void view_hasNodesWithAddresses_andTheirSlots() {
        ClusterView view = view(THREE);
        assertThat(view.members()).extracting(ClusterView.Member::id).containsExactly("a1", "b2", "c3", "d4");
        assertThat(view.members())
                .extracting(ClusterView.Member::at)
                .containsExactly(at(7001), at(7002), new HostAndPort("c3.example.org", 7003), at(7004));
        assertThat(view.members().get(3)).satisfies(replica -> {
            assertThat(replica.isPrimary()).isFalse();
            assertThat(replica.primaryId()).isEqualTo("a1");
        });
        ClusterView.Member last = view.members().get(2);
        assertThat(last.hasSlot(10_923)).isTrue();
        assertThat(last.hasSlot(16_383)).isTrue();
        assertThat(last.hasSlot(10_922)).isFalse();
        assertThat(view.members().get(0).hasSlot(99)).isTrue();
    }

    @Test
    void view_ofANodeThatDoesNotKnowItsAddress_hasTheOneAtWhichItWasAsked() {
        assertThat(view("a1 :7001@17001 myself,master - 0 0 1 connected 0-16383")
                        .members())
                .extracting(ClusterView.Member::at)
                .containsExactly(ASKED);
    }

    @Test
    void map_hasTheShardOfTheFirstBucketFirst_andItsReplicas() {
        ClusterMap map = ClusterMap.of(List.of(view(THREE)), List.of(6_000, 1, 6_001, 16_383));
        assertThat(map.unserved()).isZero();
        assertThat(map.shards()).extracting(ClusterMap.Shard::primaryId).containsExactly("b2", "a1", "c3");
        assertThat(map.shards()).extracting(ClusterMap.Shard::bits).containsExactly(0b0101L, 0b0010L, 0b1000L);
        ClusterMap.Shard second = map.shards().get(1);
        assertThat(second.primary()).isEqualTo(at(7001));
        assertThat(second.ids()).containsExactlyInAnyOrder("a1", "d4");
        assertThat(second.replicas()).containsExactly(at(7004));
    }

    @Test
    void claimWithTheGreatestEpoch_isRight_whoeverIsAskedFirst() {
        // The old primary was cut off, and knows nothing of the failover.
        ClusterView old = view("a1 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 0-5460");
        ClusterView other = view("""
                a1 127.0.0.1:7001@17001 master,fail - 0 0 1 disconnected
                d4 127.0.0.1:7004@17004 myself,master - 0 0 7 connected 0-5460
                """);
        for (List<ClusterView> views : List.of(List.of(old, other), List.of(other, old))) {
            ClusterMap map = ClusterMap.of(views, List.of(1));
            assertThat(map.shards()).singleElement().satisfies(shard -> {
                assertThat(shard.primaryId()).isEqualTo("d4");
                assertThat(shard.primary()).isEqualTo(at(7004));
            });
        }
    }

    @Test
    void slotThatHasLeftANode_isNotThere_alsoIfAnotherNodeSaysSo() {
        // It has the greater epoch, which it got for another slot.
        ClusterView late = view("""
                a1 h:1@11 master - 0 0 1 connected 0-4
                b2 h:2@12 myself,master - 0 0 2 connected 6-9
                c3 h:3@13 master - 0 0 9 connected 5 10-16383
                """);
        ClusterView own = view("""
                a1 h:1@11 master - 0 0 1 connected 0-5
                c3 h:3@13 myself,master - 0 0 9 connected 10-16383
                """);
        for (List<ClusterView> views : List.of(List.of(late, own), List.of(own, late))) {
            assertThat(ClusterMap.of(views, List.of(5)).shards())
                    .extracting(ClusterMap.Shard::primaryId)
                    .containsExactly("a1");
        }
    }

    @Test
    void bucketsWithoutANode_areTold() {
        ClusterMap map =
                ClusterMap.of(List.of(view("a1 h:1@2 master - 0 0 1 connected 0-99")), List.of(5, 100, 99, 16_383));
        assertThat(map.unserved()).isEqualTo(0b1010L);
        assertThat(map.shards()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        // The value that the specification gives.
        "123456789, 12739",
        "baton:{0}:b, 13907",
        "{0}, 13907",
        "0, 13907",
        "foo{}{bar}, 8363",
        "'', 0",
        "foo{{bar}}zap, 4015",
        "foo{bar}{zap}, 5061",
        "bar, 5061",
        "ö{ü, 1675"
    })
    void slot_isThatOfTheHashTag(String key, int slot) {
        assertThat(Slots.of(key)).isEqualTo(slot);
    }

    @Test
    void buckets_haveDifferentSlots_inEachNamespace() {
        assertThat(new Keys("baton").slots()).hasSize(64).doesNotHaveDuplicates();
        assertThat(new Keys("baton").slots()).isEqualTo(new Keys("other").slots());
        // A namespace with a tag of its own puts all of them together.
        assertThat(new Keys("a{b}").slots()).containsOnly(Slots.of("b"));
        assertThat(Buckets.ALL.numbers()).hasSize(64).startsWith(0, 1).endsWith(62, 63);
    }
}
