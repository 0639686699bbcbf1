package dev.baton.redis;

import dev.baton.tck.HistoryContract;
import dev.baton.tck.StoreFixture;

class RedisSecuredHistoryContractTest extends HistoryContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.secured();
    }
}
