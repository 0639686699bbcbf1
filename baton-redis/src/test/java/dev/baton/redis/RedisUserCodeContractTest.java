package dev.baton.redis;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on Redis. */
class RedisUserCodeContractTest extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.plain();
    }
}
