package dev.baton.examples.store;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

/** This store keeps no notes, and says so to those who ask for jobs. */
class DirectoryWorkContractTest extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new DirectoryFixture();
    }
}
