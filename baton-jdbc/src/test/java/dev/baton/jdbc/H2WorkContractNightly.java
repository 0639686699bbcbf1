package dev.baton.jdbc;

import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

class H2WorkContractNightly extends AllSharedWorkContracts {
    private static final String URI = H2Server.newUri();

    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(URI);
    }
}
