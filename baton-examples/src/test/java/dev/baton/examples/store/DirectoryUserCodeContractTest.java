package dev.baton.examples.store;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

/** What users may rely on where the client meets their code. */
class DirectoryUserCodeContractTest extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new DirectoryFixture();
    }
}
