package dev.baton.jdbc;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.server.PostgresServer;

class PostgresqlStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
