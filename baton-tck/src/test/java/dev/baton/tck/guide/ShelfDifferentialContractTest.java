package dev.baton.tck.guide;

import dev.baton.tck.DifferentialContract;
import dev.baton.tck.StoreFixture;

/** The comparison with the reference on the guide's store. */
class ShelfDifferentialContractTest extends DifferentialContract {
    @Override
    protected StoreFixture newFixture() {
        return new ShelfFixture();
    }
}
