package dev.baton.etcd;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;
import java.time.Duration;

class EtcdWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() {
        return new EtcdFixture();
    }

    @Override
    protected String withLongSession(String uri) {
        return uri.replace("ttl=2s", "ttl=20s");
    }

    @Override
    protected Duration driversPause() {
        return Duration.ofSeconds(2);
    }
}
