package dev.baton.jdbc;

import dev.baton.servers.MariaServer;
import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

class MariadbClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(MariaServer.shared().uri());
    }
}
