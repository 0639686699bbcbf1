package dev.baton.redis;

import dev.baton.tck.DifferentialContract;
import dev.baton.tck.StoreFixture;

/** The differential contract on a primary that sentinels name. */
class RedisSentinelDifferentialContractNightly extends DifferentialContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.sentinel();
    }
}
