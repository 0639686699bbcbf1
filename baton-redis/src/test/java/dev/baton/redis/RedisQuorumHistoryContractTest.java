package dev.baton.redis;

import dev.baton.tck.HistoryContract;
import dev.baton.tck.StoreFixture;

/** The history contract on a quorum of five. */
class RedisQuorumHistoryContractTest extends HistoryContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.quorum(5);
    }
}
