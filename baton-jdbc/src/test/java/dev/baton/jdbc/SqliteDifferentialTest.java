package dev.baton.jdbc;

import dev.baton.tck.DifferentialContract;
import dev.baton.tck.StoreFixture;
import java.io.IOException;

class SqliteDifferentialTest extends DifferentialContract {
    @Override
    protected StoreFixture newFixture() throws IOException {
        return new SqliteFixture();
    }
}
