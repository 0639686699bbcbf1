package dev.baton.jdbc;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client that stands still in a transaction delays others for moments: the server ends its session. */
@Tag("serial")
class StoppedClientTest {
    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri());
    }

    @ParameterizedTest
    @MethodSource("servers")
    void transaction_ofAClientThatStandsStill_isEndedByTheServer(String uri) throws Exception {
        new StoppedClient(uri).isEndedByTheServer();
    }
}
