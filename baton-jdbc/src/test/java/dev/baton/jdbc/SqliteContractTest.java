package dev.baton.jdbc;

import dev.baton.tck.AllContracts;
import dev.baton.tck.StoreFixture;

class SqliteContractTest extends AllContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new SqliteFixture();
    }
}
