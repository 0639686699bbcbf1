package dev.baton.zookeeper;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;
import java.time.Duration;

class ZookeeperWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() {
        return new ZookeeperFixture();
    }

    @Override
    protected String withLongSession(String uri) {
        return uri.replace("sessionTimeout=2s", "sessionTimeout=20s");
    }

    @Override
    protected Duration driversPause() {
        return Duration.ofSeconds(1);
    }
}
