package dev.baton.redis;

import dev.baton.tck.ClientContractFaults;
import dev.baton.tck.StoreFixture;

/** The client contract by sentinels, over TLS and as users with the least rights. */
class RedisSentinelSecuredClientContractNightly extends ClientContractFaults {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.securedSentinel();
    }
}
