package dev.baton.redis;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on Redis. */
class RedisWorkContractTest extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.plain();
    }
}
