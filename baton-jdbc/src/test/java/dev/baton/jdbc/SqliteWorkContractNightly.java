package dev.baton.jdbc;

import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

class SqliteWorkContractNightly extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new SqliteFixture();
    }
}
