package dev.baton.etcd;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

class EtcdWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() {
        return new EtcdFixture();
    }
}
