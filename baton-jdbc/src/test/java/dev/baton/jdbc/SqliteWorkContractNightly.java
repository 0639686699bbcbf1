package dev.baton.jdbc;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

class SqliteWorkContractNightly extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new SqliteFixture();
    }
}
