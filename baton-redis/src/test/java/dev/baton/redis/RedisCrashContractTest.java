package dev.baton.redis;

import dev.baton.tck.CrashContract;
import dev.baton.tck.StoreFixture;

class RedisCrashContractTest extends CrashContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.plain();
    }
}
