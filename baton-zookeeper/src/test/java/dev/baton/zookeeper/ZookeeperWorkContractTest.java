package dev.baton.zookeeper;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

class ZookeeperWorkContractTest extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return new ZookeeperFixture();
    }
}
