package dev.baton.jdbc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link StoppedClientTest}, on MySQL, which has no limit for idle transactions. Part of {@code -Pservers}. */
@Tag("serial")
class MysqlStoppedClientContractTest {
    @Test
    void transaction_ofAClientThatStandsStill_isEndedByTheServer() throws Exception {
        new StoppedClient(ServerFixture.mysql().uri()).isEndedByTheServer();
    }
}
