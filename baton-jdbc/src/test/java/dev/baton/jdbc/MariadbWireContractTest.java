package dev.baton.jdbc;

import dev.baton.servers.MariaServer;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

class MariadbWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(MariaServer.shared().uri());
    }
}
