package dev.baton.jdbc;

import dev.baton.tck.HistoryContract;
import dev.baton.tck.StoreFixture;
import java.io.IOException;

class SqliteHistoryContractTest extends HistoryContract {
    @Override
    protected StoreFixture newFixture() throws IOException {
        return new SqliteFixture();
    }
}
