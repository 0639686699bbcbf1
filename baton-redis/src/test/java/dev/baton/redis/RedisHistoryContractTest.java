package dev.baton.redis;

import dev.baton.tck.HistoryContract;
import dev.baton.tck.StoreFixture;

class RedisHistoryContractTest extends HistoryContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.plain();
    }
}
