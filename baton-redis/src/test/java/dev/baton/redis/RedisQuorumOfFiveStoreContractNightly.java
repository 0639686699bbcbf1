package dev.baton.redis;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;

/** The store contract on a quorum of five. */
class RedisQuorumOfFiveStoreContractNightly extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.quorum(5);
    }
}
