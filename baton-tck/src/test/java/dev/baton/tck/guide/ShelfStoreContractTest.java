package dev.baton.tck.guide;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;

// tag::contract[]
/** What every store must do. */
class ShelfStoreContractTest extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return new ShelfFixture();
    }
}
// end::contract[]
