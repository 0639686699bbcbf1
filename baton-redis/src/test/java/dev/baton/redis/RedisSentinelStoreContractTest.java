package dev.baton.redis;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;

/** The store contract on a primary that sentinels name. */
class RedisSentinelStoreContractTest extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.sentinel();
    }
}
