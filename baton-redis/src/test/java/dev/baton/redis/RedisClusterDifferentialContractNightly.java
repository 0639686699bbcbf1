package dev.baton.redis;

import dev.baton.tck.DifferentialContract;
import dev.baton.tck.StoreFixture;

/** The differential contract on a cluster. */
class RedisClusterDifferentialContractNightly extends DifferentialContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.cluster();
    }
}
