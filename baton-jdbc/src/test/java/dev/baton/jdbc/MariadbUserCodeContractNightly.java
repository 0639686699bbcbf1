package dev.baton.jdbc;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.server.MariaServer;

class MariadbUserCodeContractNightly extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(MariaServer.shared().uri());
    }
}
