package dev.baton.jdbc;

import dev.baton.tck.CrashContract;
import dev.baton.tck.StoreFixture;
import java.io.IOException;

class SqliteCrashContractTest extends CrashContract {
    @Override
    protected StoreFixture newFixture() throws IOException {
        return new SqliteFixture();
    }
}
