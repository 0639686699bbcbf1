package dev.baton.examples.store;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** What users may rely on. */
class DirectoryClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new DirectoryFixture();
    }
}
