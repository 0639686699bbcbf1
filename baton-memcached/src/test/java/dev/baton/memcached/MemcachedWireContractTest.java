package dev.baton.memcached;

import dev.baton.tck.StoreFixture;
import dev.baton.tck.WireContract;

class MemcachedWireContractTest extends WireContract {
    @Override
    protected StoreFixture newFixture() {
        return new MemcachedFixture();
    }
}
