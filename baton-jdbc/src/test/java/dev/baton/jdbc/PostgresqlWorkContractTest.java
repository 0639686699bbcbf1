package dev.baton.jdbc;

import dev.baton.servers.PostgresServer;
import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

class PostgresqlWorkContractTest extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
