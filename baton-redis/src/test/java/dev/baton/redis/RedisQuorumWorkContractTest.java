package dev.baton.redis;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

/** The contracts of jobs and elections on a quorum, which keeps no notes. */
class RedisQuorumWorkContractTest extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.quorum(3);
    }
}
