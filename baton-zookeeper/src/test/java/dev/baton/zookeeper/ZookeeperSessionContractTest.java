package dev.baton.zookeeper;

import dev.baton.tck.LineFixture;
import dev.baton.tck.SessionContract;

class ZookeeperSessionContractTest extends SessionContract {
    @Override
    protected LineFixture newFixture() {
        return new ZookeeperFixture();
    }
}
