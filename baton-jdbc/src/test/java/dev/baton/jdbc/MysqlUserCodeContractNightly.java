package dev.baton.jdbc;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

class MysqlUserCodeContractNightly extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return ServerFixture.mysql();
    }
}
