package dev.baton.jdbc;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;
import java.io.IOException;

class SqliteStoreContractTest extends StoreContract {
    @Override
    protected StoreFixture newFixture() throws IOException {
        return new SqliteFixture();
    }
}
