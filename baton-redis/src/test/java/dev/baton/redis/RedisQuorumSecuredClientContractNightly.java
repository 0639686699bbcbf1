package dev.baton.redis;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on a quorum over TLS, as a user with the least rights. */
class RedisQuorumSecuredClientContractNightly extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.securedQuorum();
    }
}
