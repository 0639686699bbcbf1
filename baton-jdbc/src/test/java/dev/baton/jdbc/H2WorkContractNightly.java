package dev.baton.jdbc;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

class H2WorkContractNightly extends AllWorkContracts {
    private static final String URI = H2Server.newUri();

    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(URI);
    }
}
