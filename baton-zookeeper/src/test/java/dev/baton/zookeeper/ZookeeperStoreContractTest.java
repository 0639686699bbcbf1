package dev.baton.zookeeper;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

class ZookeeperStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() {
        return new ZookeeperFixture();
    }
}
