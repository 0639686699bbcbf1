package dev.baton.jdbc;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

class H2WireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(H2Server.newUri());
    }
}
