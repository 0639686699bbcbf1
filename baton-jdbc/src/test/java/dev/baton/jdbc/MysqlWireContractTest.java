package dev.baton.jdbc;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

/** Not part of the build: see {@link MysqlClientContractTest}. */
class MysqlWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(System.getProperty("baton.mysql.uri"));
    }
}
