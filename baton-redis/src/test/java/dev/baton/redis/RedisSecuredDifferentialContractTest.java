package dev.baton.redis;

import dev.baton.tck.DifferentialContract;
import dev.baton.tck.StoreFixture;

class RedisSecuredDifferentialContractTest extends DifferentialContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.secured();
    }
}
