package dev.baton.jdbc;

import dev.baton.servers.PostgresServer;
import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

class PostgresqlClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
