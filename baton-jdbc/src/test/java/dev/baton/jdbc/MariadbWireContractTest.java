package dev.baton.jdbc;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;
import dev.baton.tck.server.MariaServer;

class MariadbWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(MariaServer.shared().uri());
    }
}
