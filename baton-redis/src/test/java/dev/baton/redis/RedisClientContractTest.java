package dev.baton.redis;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on Redis. */
class RedisClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.plain();
    }
}
