package dev.baton.jdbc;

import dev.baton.servers.MariaServer;
import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

class MariadbWorkContractNightly extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(MariaServer.shared().uri());
    }
}
