package dev.baton.examples.store;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

// tag::contract[]
/** What every store must do that reaches beyond one JVM. */
class DirectoryStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new DirectoryFixture();
    }
}
// end::contract[]
