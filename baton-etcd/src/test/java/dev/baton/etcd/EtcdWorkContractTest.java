package dev.baton.etcd;

import dev.baton.tck.AllSharedWorkContracts;
import dev.baton.tck.StoreFixture;

class EtcdWorkContractTest extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return new EtcdFixture();
    }
}
