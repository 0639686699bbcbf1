package dev.baton.etcd;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

class EtcdClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return new EtcdFixture();
    }
}
