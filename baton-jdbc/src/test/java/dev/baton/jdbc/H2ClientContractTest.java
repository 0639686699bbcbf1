package dev.baton.jdbc;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

class H2ClientContractTest extends AllClientContracts {
    private static final String URI = H2Server.newUri();

    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(URI);
    }
}
