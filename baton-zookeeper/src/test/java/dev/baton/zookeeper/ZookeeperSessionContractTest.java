package dev.baton.zookeeper;

import dev.baton.tck.OrderedFixture;
import dev.baton.tck.SessionContract;

class ZookeeperSessionContractTest extends SessionContract {
    @Override
    protected OrderedFixture newFixture() {
        return new ZookeeperFixture();
    }
}
