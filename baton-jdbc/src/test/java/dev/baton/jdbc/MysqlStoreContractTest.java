package dev.baton.jdbc;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

/** Part of {@code -Pservers}, because only {@code etc/servers} fetches a MySQL. */
class MysqlStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return ServerFixture.mysql();
    }
}
