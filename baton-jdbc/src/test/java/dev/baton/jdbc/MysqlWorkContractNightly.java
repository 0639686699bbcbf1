package dev.baton.jdbc;

import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

class MysqlWorkContractNightly extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return ServerFixture.mysql();
    }
}
