package dev.baton.redis;

import dev.baton.tck.DifferentialContract;
import dev.baton.tck.StoreFixture;

/** The differential contract on a quorum of three. */
class RedisQuorumDifferentialContractTest extends DifferentialContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.quorum(3).settled();
    }
}
