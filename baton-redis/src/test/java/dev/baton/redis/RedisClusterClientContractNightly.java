package dev.baton.redis;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on a cluster. */
class RedisClusterClientContractNightly extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.cluster();
    }
}
