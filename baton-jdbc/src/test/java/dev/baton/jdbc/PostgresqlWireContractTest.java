package dev.baton.jdbc;

import dev.baton.servers.PostgresServer;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

class PostgresqlWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
