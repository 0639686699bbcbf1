package dev.baton.jdbc;

import dev.baton.servers.PostgresServer;
import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

class PostgresqlStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
