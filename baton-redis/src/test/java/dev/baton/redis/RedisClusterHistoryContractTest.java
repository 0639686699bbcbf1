package dev.baton.redis;

import dev.baton.tck.HistoryContract;
import dev.baton.tck.StoreFixture;

/** The history contract on a cluster. */
class RedisClusterHistoryContractTest extends HistoryContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.cluster();
    }
}
