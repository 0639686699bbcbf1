package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many releases at a time, on databases that wait for a disk at each commit. */
class BulkReleaseTest {
    private static final int HOLDS = 600;

    /** Transactions of at most 256 releases. */
    private static final int BATCHES = 3;

    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri(), H2Server.newUri());
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P34: releaseAll_ofHoldsThatNobodyWaitsFor_commitsOnceForABatch")
    void releaseAll_ofHoldsThatNobodyWaitsFor_commitsOnceForABatch(String uri) throws Exception {
        CountingConnection counting = new CountingConnection();
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = new JdbcClient(new JdbcStoreProvider(counting::around), emptied.uri(), "a")) {
            List<Release> holds = new ArrayList<>();
            for (int i = 0; i < HOLDS; i++) {
                holds.add(client.hold(Resource.lock("name " + i)));
            }
            counting.clear();
            assertThat(client.store().releaseAll(holds, JdbcClient.TIMEOUT_NANOS))
                    .hasSize(HOLDS)
                    .allMatch(Release.Reply::released);
            List<String> sent = counting.executed().stream()
                    .filter(sql -> sql.startsWith("UPDATE baton_lease"))
                    .toList();
            assertThat(sent).hasSize(BATCHES);
            assertThat(client.store().list("name", "", HOLDS, JdbcClient.TIMEOUT_NANOS))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P34: releaseAll_ofHoldsOfAllKinds_answersEachByItself")
    void releaseAll_ofHoldsOfAllKinds_answersEachByItself(String uri) throws Exception {
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient client = new JdbcClient(new JdbcStoreProvider(), emptied.uri(), "a");
                JdbcClient other = new JdbcClient(new JdbcStoreProvider(), emptied.uri(), "b")) {
            Release plain = client.hold(Resource.lock("plain"));
            Release over = client.hold(Resource.lock("over"));
            assertThat(client.release(over)).isTrue();
            Release wanted = client.hold(Resource.lock("wanted"));
            long attempt = other.next();
            other.acquire(wanted.resource(), attempt, Acquire.Mode.QUEUE);
            Release last = client.hold(Resource.lock("last"));
            Release mistaken =
                    new Release(last.resource(), last.attempt(), last.token() + 1, CommandNumber.of(client.next()));
            List<Release> all = List.of(wanted, again(client, over), plain, mistaken);
            assertThat(client.store().releaseAll(all, JdbcClient.TIMEOUT_NANOS))
                    .extracting(Release.Reply::released)
                    .containsExactly(true, false, true, false);
            assertThat(other.poll(wanted.resource(), attempt)).isInstanceOf(Heartbeat.TicketGranted.class);
            assertThat(client.store().inspect("last", JdbcClient.TIMEOUT_NANOS)).isPresent();
        }
    }

    private static Release again(JdbcClient client, Release held) {
        return new Release(held.resource(), held.attempt(), held.token(), CommandNumber.of(client.next()));
    }
}
