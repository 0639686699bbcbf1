package dev.baton.etcd;

import dev.baton.tck.AllContracts;
import dev.baton.tck.StoreFixture;

class EtcdContractTest extends AllContracts {
    @Override
    protected StoreFixture newFixture() {
        return new EtcdFixture();
    }
}
