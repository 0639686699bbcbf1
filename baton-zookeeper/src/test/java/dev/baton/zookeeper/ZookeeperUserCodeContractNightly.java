package dev.baton.zookeeper;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

class ZookeeperUserCodeContractNightly extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() {
        return new ZookeeperFixture();
    }
}
