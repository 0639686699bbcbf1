package dev.baton.etcd;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

class EtcdWorkContractTest extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return new EtcdFixture();
    }
}
