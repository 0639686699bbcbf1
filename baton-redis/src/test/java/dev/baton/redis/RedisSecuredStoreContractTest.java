package dev.baton.redis;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;

class RedisSecuredStoreContractTest extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.secured();
    }
}
