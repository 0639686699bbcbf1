package dev.baton.jdbc;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.server.PostgresServer;

class PostgresqlClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
