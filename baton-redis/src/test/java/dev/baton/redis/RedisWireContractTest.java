package dev.baton.redis;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

class RedisWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.plain();
    }
}
