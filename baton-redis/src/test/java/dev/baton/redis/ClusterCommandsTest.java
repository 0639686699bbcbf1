package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.servers.RedisCluster;
import dev.baton.servers.RedisServer;
import dev.baton.spi.Protocol;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands that reach the primaries of a cluster, as they count them. */
@Timeout(120)
class ClusterCommandsTest {
    private static final int HOLDS = Boolean.getBoolean("baton.nightly") ? 10_000 : 3_000;
    private static final int PERIODS = Boolean.getBoolean("baton.nightly") ? 15 : 2;

    @Test
    @DisplayName("P27: manyHolds_areRenewedByOneCallPerBucketAndHundred")
    void manyHolds_areRenewedByOneCallPerBucketAndHundred() throws Exception {
        try (RedisCluster set = RedisCluster.builder().replicas(0).start();
                Baton client = Baton.connect(set.uri(), HeldBatch.options())) {
            HeldBatch batch = HeldBatch.of(client, HOLDS);
            set.primaries().forEach(RedisServer::resetStats);
            long periods = batch.keepFor(PERIODS);
            long calls =
                    set.primaries().stream().mapToLong(Clients::scriptCalls).sum();
            System.out.println(HOLDS + " holds on a cluster, in " + batch.groups() + " groups: " + calls + " calls in "
                    + PERIODS + " periods");
            long most = (Protocol.BUCKETS * batch.groups() + HOLDS / 100) * periods;
            assertThat(calls).isBetween((long) PERIODS, most);
        }
    }
}
