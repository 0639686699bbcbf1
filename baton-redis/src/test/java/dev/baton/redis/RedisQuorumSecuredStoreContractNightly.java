package dev.baton.redis;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;

/** The store contract on a quorum over TLS, as a user with the least rights. */
class RedisQuorumSecuredStoreContractNightly extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.securedQuorum();
    }
}
