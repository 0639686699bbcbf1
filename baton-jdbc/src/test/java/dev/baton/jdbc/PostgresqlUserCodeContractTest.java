package dev.baton.jdbc;

import dev.baton.servers.PostgresServer;
import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

class PostgresqlUserCodeContractTest extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(PostgresServer.shared().uri());
    }
}
