package dev.baton.jdbc;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

class SqliteClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new SqliteFixture();
    }
}
