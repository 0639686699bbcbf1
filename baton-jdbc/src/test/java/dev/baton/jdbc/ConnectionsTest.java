package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.PostgresServer;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client makes as many calls at once as its address says, and no more. */
@Timeout(60)
class ConnectionsTest {
    @ParameterizedTest
    @CsvSource({"'', 4", "baton.connections=1, 1", "baton.connections=2, 2", "baton.connections=9, 9"})
    void calls_beyondTheConnections_waitForThem(String option, int most) throws Exception {
        CountingConnection connections = new CountingConnection();
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger opened = new AtomicInteger();
        try (ServerFixture emptied = new ServerFixture(PostgresServer.shared().uri());
                JdbcClient client = new JdbcClient(
                        new JdbcStoreProvider(connection -> {
                            opened.incrementAndGet();
                            return connections.around(connection);
                        }),
                        emptied.uri() + '&' + option,
                        "a")) {
            connections.before(sql -> {
                if (sql.contains("INSERT INTO baton_lease")) {
                    underWay.incrementAndGet();
                    Waiting.await(free);
                }
            });
            List<Work<Release>> works = new ArrayList<>();
            for (int i = 0; i < most + 3; i++) {
                Resource lock = Resource.lock("lock " + i);
                works.add(Mode.SYNC.start(() -> client.hold(lock)));
                int expected = Math.min(most, i + 1);
                Waiting.until("another call is under way", () -> underWay.get() == expected);
            }
            Waiting.until("all wait", () -> works.stream().allMatch(Work::isWaiting));
            assertThat(underWay).hasValue(most);
            free.countDown();
            for (Work<Release> each : works) {
                assertThat(client.release(each.get())).isTrue();
            }
            assertThat(opened).hasValue(most);
        }
    }
}
