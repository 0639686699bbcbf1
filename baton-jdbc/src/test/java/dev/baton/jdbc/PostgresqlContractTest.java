package dev.baton.jdbc;

import dev.baton.tck.AllContracts;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.server.PostgresServer;

class PostgresqlContractTest extends AllContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
