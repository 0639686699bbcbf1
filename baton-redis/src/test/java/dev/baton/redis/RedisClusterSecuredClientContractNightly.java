package dev.baton.redis;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

/** The client contract on a cluster, over TLS and with the least rights. */
class RedisClusterSecuredClientContractNightly extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.securedCluster();
    }
}
