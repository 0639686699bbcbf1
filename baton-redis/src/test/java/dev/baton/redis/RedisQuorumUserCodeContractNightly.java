package dev.baton.redis;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

/** The contracts of user code on a quorum of three. */
class RedisQuorumUserCodeContractNightly extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.quorum(3);
    }
}
