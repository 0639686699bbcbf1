package dev.baton.jdbc;

import dev.baton.servers.MariaServer;
import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

class MariadbUserCodeContractNightly extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(MariaServer.shared().uri());
    }
}
