package dev.baton.redis;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on a primary that sentinels name. */
class RedisSentinelClientContractNightly extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.sentinel();
    }
}
