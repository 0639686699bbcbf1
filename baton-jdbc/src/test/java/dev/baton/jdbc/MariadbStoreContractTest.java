package dev.baton.jdbc;

import dev.baton.servers.MariaServer;
import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

class MariadbStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(MariaServer.shared().uri());
    }
}
