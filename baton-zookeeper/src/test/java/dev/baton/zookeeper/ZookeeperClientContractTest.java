package dev.baton.zookeeper;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

class ZookeeperClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return new ZookeeperFixture();
    }
}
