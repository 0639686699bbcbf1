package dev.baton.memcached;

import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.StoreFixture;

class MemcachedStoreContractTest extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() {
        return new MemcachedFixture();
    }
}
