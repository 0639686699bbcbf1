package dev.baton.jdbc;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

/** Part of {@code -Pservers}: the contracts of the store behind PgBouncer. */
class PgBouncerContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return SharedBouncer.fixture();
    }
}
