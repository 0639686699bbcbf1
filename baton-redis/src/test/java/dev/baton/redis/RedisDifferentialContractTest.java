package dev.baton.redis;

import dev.baton.tck.DifferentialContract;
import dev.baton.tck.StoreFixture;

class RedisDifferentialContractTest extends DifferentialContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.plain();
    }
}
