package dev.baton.jdbc;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** Part of {@code -Pservers}, because only {@code etc/servers} fetches a MySQL. */
class MysqlClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return ServerFixture.mysql();
    }
}
