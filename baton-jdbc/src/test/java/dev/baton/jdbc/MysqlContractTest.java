package dev.baton.jdbc;

import dev.baton.tck.AllContracts;
import dev.baton.tck.StoreFixture;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * No build has a MySQL: {@code -Dbaton.mysql.uri=jdbc:mysql://HOST/DATABASE?user=…} names an empty database of one. What
 * the dialect shares with MariaDB's is tested there.
 */
@EnabledIfSystemProperty(named = "baton.mysql.uri", matches = ".+", disabledReason = "no MySQL: -Dbaton.mysql.uri=URI")
class MysqlContractTest extends AllContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new ServerFixture(System.getProperty("baton.mysql.uri"));
    }
}
