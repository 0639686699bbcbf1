package dev.baton.jdbc;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** Part of {@code -Pservers}: the contract of the client behind PgBouncer. */
class PgBouncerClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return SharedBouncer.fixture();
    }
}
