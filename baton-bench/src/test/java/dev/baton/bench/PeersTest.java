package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that all contestants can take part in their trials. It expects nothing of the figures. */
@Timeout(300)
class PeersTest {
    private static final Duration TURN = Duration.ofMillis(50);

    /** On a busy machine ten thousand waiters of RLock need more than the time limit of a minute. */
    private static final String TOO_MUCH = "n.10k.rlock";

    private final List<String> progress = new ArrayList<>();

    @Test
    void contestants_onTheirServers_takePartInTheirTrials() throws Exception {
        try (Servers servers = Servers.open(List.of("redis", "postgresql", "zookeeper"), progress::add)) {
            Bench bench = new Bench(
                    Remoteness.none(servers.addresses()),
                    servers::usage,
                    LocalTeam::open,
                    1,
                    new Bench.Pace(TURN, TURN, 1),
                    Samples.quiet(),
                    progress::add);
            List<Row> rows = Rows.ALL.stream()
                    .filter(row -> !row.id().equals(TOO_MUCH))
                    .map(PeersTest::small)
                    .toList();
            Results results = bench.run(rows);
            assertThat(servers.versions().values())
                    .allMatch(name -> name.matches("(Redis|PostgreSQL|ZooKeeper) \\d+\\..*"))
                    .hasSize(3);
            assertThat(results.areComplete()).as("%s", progress).isTrue();
            assertThat(results.rows())
                    .as("all but those on etcd")
                    .containsExactlyElementsOf(
                            rows.stream().filter(row -> !isOnEtcd(row)).toList())
                    .extracting(Row::id)
                    .contains("a.16.shedlock.spring", "d.16x1.registry.pubsub", "i.registry", "j.1x16");
        }
    }

    private static boolean isOnEtcd(Row row) {
        return row.contestants().stream().anyMatch(contestant -> contestant.home() == Home.ETCD);
    }

    /** Returns the row with at most two clients and two threads. */
    private static Row small(Row row) {
        Trial large = row.trial();
        Trial small = Trial.of(
                large.title(),
                large.words(),
                Math.min(2, large.clients()),
                Math.min(2, large.threads()),
                Math.min(1, large.locks()),
                large.section());
        return new Row(row.id(), small, row.metric(), row.contestant(), row.peer(), row.target());
    }
}
