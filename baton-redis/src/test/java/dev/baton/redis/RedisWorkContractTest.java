package dev.baton.redis;

import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on Redis. */
class RedisWorkContractTest extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.plain();
    }
}
