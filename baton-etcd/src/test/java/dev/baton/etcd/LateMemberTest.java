package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.EtcdServer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A member that was stopped reports late what its clients know from the other members. */
class LateMemberTest {
    private static final int ROUNDS = 10;
    private static final String KEY = "/seat";

    @Test
    void endOfAnEarlierEntryInTheSameSeat_isNotTheEndOfThisOne() throws Exception {
        try (EtcdServer cluster = EtcdServer.startCluster(3)) {
            int late = (cluster.leader() + 1) % cluster.size();
            try (ByHand leader = ByHand.at(cluster, cluster.leader());
                    ByHand follower = ByHand.at(cluster, late)) {
                Watches watches = new Watches(follower.client());
                for (int i = 0; i < ROUNDS; i++) {
                    leader.put(KEY, "an earlier entry");
                    assertThat(follower.names(KEY)).isEqualTo(List.of(KEY));
                    cluster.pause(late);
                    leader.delete(KEY);
                    leader.put(KEY, "this entry");
                    long created = leader.keys(KEY).get(0).getCreateRevision();
                    BlockingQueue<Boolean> told = new LinkedBlockingQueue<>();
                    watches.key(Keys.bytes(KEY), false, known(created), told::add);
                    // The request is at the member before the member goes on.
                    TimeUnit.MILLISECONDS.sleep(100);
                    cluster.resume(late);
                    assertThat(told.poll(300, TimeUnit.MILLISECONDS))
                            .as("what the watch tells while the entry is there, round %d", i)
                            .isNull();
                    leader.delete(KEY);
                    assertThat(told.poll(20, TimeUnit.SECONDS))
                            .as("what it tells when the entry is gone")
                            .isTrue();
                }
                watches.close();
            }
        }
    }

    private static Watches.Known known(long revision) {
        return new Watches.Known(revision, () -> CompletableFuture.completedFuture(Optional.empty()));
    }
}
