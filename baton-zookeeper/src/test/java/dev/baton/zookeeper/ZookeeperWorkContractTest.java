package dev.baton.zookeeper;

import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

class ZookeeperWorkContractTest extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return new ZookeeperFixture();
    }
}
