package dev.baton.redis;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;

/** The store contract on a cluster. */
class RedisClusterStoreContractTest extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.cluster();
    }
}
