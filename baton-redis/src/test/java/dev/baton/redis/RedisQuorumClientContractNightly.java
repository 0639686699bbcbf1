package dev.baton.redis;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on a quorum of three. */
class RedisQuorumClientContractNightly extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.quorum(3);
    }
}
