package dev.baton.etcd;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

class EtcdStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() {
        return new EtcdFixture();
    }
}
