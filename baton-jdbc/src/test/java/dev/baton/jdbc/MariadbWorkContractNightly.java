package dev.baton.jdbc;

import dev.baton.servers.MariaServer;
import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

class MariadbWorkContractNightly extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(MariaServer.shared().uri());
    }
}
