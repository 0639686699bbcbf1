package dev.baton.zookeeper;

import dev.baton.tck.AllContracts;
import dev.baton.tck.StoreFixture;

class ZookeeperContractTest extends AllContracts {
    @Override
    protected StoreFixture newFixture() {
        return new ZookeeperFixture();
    }
}
