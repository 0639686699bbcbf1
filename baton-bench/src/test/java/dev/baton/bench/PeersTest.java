package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.Contestant.Home;
import dev.baton.tck.server.PostgresServer;
import dev.baton.tck.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everybody who is compared can do what the comparison asks. Of the figures nothing is expected. */
@Timeout(300)
class PeersTest {
    private static final Duration TURN = Duration.ofMillis(50);

    private final List<String> progress = new ArrayList<>();

    @Test
    void contestants_onTheirServers_takePartInTheirTrials() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PostgresServer postgres = PostgresServer.start();
                TestingServer zookeeper = new TestingServer();
                Server server = new Server(URI.create(redis.uri()))) {
            Map<Home, String> elsewhere = Map.of(
                    Home.DATABASE, postgres.uri(), Home.ZOOKEEPER, "zookeeper://" + zookeeper.getConnectString());
            Stage stage = new Stage(redis.uri(), Optional.of(URI.create(redis.uri())), elsewhere, 1, 0);
            Bench bench = new Bench(stage, server, TURN, TURN, 1, progress::add);
            Results results = bench.run(Rows.ALL.stream().map(PeersTest::small).toList());
            assertThat(results.areComplete()).as("%s", progress).isTrue();
            assertThat(results.rows())
                    .as("all but those on etcd")
                    .extracting(Row::id)
                    .contains("a.16.shedlock.spring", "d.16x1.registry.pubsub", "i.registry", "j.1x16")
                    .hasSizeGreaterThan(Rows.ALL.size() - 3);
        }
    }

    /** With two of everything. */
    private static Row small(Row row) {
        Trial large = row.trial();
        Trial small = new Trial(
                large.title(),
                Math.min(2, large.clients()),
                Math.min(2, large.threads()),
                Math.min(1, large.locks()),
                large.section());
        return new Row(row.id(), small, row.metric(), row.contestant(), row.peer(), row.target());
    }
}
