package dev.baton.zookeeper;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

class ZookeeperWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() {
        return new ZookeeperFixture();
    }

    @Override
    protected String withLongSession(String uri) {
        return uri.replace("sessionTimeout=2s", "sessionTimeout=20s");
    }
}
