package dev.baton.redis;

import dev.baton.tck.CrashContract;
import dev.baton.tck.StoreFixture;

/** The crash contract on a quorum of three. */
class RedisQuorumCrashContractTest extends CrashContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.quorum(3);
    }
}
