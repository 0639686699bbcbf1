package dev.baton.tck.guide;

import dev.baton.tck.ClientContractExclusion;
import dev.baton.tck.StoreFixture;

/** What users may rely on first on the guide's store. */
class ShelfExclusionContractTest extends ClientContractExclusion {
    @Override
    protected StoreFixture newFixture() {
        return new ShelfFixture();
    }
}
