package dev.baton.jdbc;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

/**
 * Not part of the build, which has no MySQL: {@code -Dbaton.mysql.uri=jdbc:mysql://HOST/DATABASE?user=…} names an empty
 * database of one, which all tests share: {@code -Dbaton.forks=1}. What the dialect shares with MariaDB's is tested
 * there.
 */
class MysqlStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(System.getProperty("baton.mysql.uri"));
    }
}
