package dev.baton.jdbc;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

class H2StoreContractTest extends AllStoreContracts {
    private static final String URI = H2Server.newUri();

    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(URI);
    }
}
