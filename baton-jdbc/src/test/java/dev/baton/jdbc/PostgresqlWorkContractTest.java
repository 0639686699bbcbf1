package dev.baton.jdbc;

import dev.baton.servers.PostgresServer;
import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

class PostgresqlWorkContractTest extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
