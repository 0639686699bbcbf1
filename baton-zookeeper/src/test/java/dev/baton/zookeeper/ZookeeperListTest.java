package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A namespace with more names than fit in one answer of ZooKeeper. */
@Tag("serial")
class ZookeeperListTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final int AT_ONCE = 500;

    /** Returns a name of 1 KB; the build's few take 3 KB each in a path, and those of the nightly run 1 KB. */
    private static String name(int number) {
        return String.format("%07d", number) + (NIGHTLY ? "a".repeat(1_011) : "\u4e2d".repeat(337));
    }

    private static List<Lease> holdAll(Baton baton, int names) throws Exception {
        List<Lease> held = new ArrayList<>();
        for (int from = 0; from < names; from += AT_ONCE) {
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = from; i < Math.min(names, from + AT_ONCE); i++) {
                asked.add(baton.lock(name(i)).acquireAsync());
            }
            for (CompletableFuture<Lease> each : asked) {
                held.add(each.get(60, TimeUnit.SECONDS));
            }
        }
        return held;
    }

    @Test
    void list_ofMoreThanFitsIntoOneAnswer_leavesTheConnectionAlone() throws Exception {
        int names = NIGHTLY ? 100_000 : 600;
        BatonOptions options = BatonOptions.builder()
                .namespace("tests")
                .leaseTime(Duration.ofSeconds(60))
                .connectTimeout(Duration.ofSeconds(30))
                .build();
        try (InnerServer server = new InnerServer();
                Baton baton = Baton.connect(server.uri(), options);
                ZookeeperClient client = new ZookeeperClient(server.uri())) {
            List<Lease> held = holdAll(baton, names);
            Resource other = Resource.lock("other");
            client.hold(other);
            List<Long> sessions = server.sessions();
            long connections = InnerServer.connections();
            long start = System.nanoTime();

            List<ResourceView> first = client.store().list("", "", 3, ZookeeperClient.TIMEOUT_NANOS);

            System.out.println(names + " names: list took " + (System.nanoTime() - start) / 1_000_000 + " ms");
            assertThat(first).extracting(each -> each.resource().name()).containsExactly(name(0), name(1), name(2));
            assertThat(client.store().list(name(names - 1), "", 3, ZookeeperClient.TIMEOUT_NANOS))
                    .hasSize(1);
            assertThat(client.store().inspect(name(names / 2), ZookeeperClient.TIMEOUT_NANOS))
                    .isPresent();
            assertThat(baton.admin().list("", 3)).hasSize(3);
            client.hold(Resource.lock("one more"));
            assertThat(InnerServer.connections())
                    .as("connections that were made")
                    .isEqualTo(connections);
            assertThat(server.sessions()).containsAll(sessions);
            assertThat(held).allMatch(Lease::isHeld);
        }
    }
}
