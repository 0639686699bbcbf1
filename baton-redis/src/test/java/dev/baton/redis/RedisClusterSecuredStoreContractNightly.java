package dev.baton.redis;

import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;

/** The store contract on a cluster, over TLS and with the least rights. */
class RedisClusterSecuredStoreContractNightly extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.securedCluster();
    }
}
