package dev.baton.jdbc;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

class MysqlWorkContractNightly extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return ServerFixture.mysql();
    }
}
