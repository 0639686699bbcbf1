package dev.baton.memcached;

import dev.baton.tck.AllClientContracts;
import dev.baton.tck.StoreFixture;

class MemcachedClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return new MemcachedFixture();
    }
}
