package dev.baton.redis;

import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

/** Jobs and elections on a cluster. */
class RedisClusterWorkContractNightly extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.cluster();
    }
}
