package dev.baton.etcd;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

class EtcdUserCodeContractNightly extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() {
        return new EtcdFixture();
    }
}
