package dev.baton.jdbc;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

class H2UserCodeContractNightly extends AllUserCodeContracts {
    private static final String URI = H2Server.newUri();

    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(URI);
    }
}
