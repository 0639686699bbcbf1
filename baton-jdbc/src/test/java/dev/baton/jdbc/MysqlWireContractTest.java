package dev.baton.jdbc;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

/** Part of {@code -Pservers}: see {@link MysqlClientContractTest}. */
class MysqlWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return ServerFixture.mysql();
    }
}
