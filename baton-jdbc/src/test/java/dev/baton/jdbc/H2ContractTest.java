package dev.baton.jdbc;

import dev.baton.tck.AllContracts;
import dev.baton.tck.StoreFixture;

class H2ContractTest extends AllContracts {
    private static final String URI = H2Server.newUri();

    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(URI);
    }
}
