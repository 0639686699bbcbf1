package dev.baton.redis;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;

/** The store contract by sentinels, over TLS and as users with the least rights. */
class RedisSentinelSecuredStoreContractNightly extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.securedSentinel();
    }
}
