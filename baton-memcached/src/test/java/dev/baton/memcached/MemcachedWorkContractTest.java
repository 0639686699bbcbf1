package dev.baton.memcached;

import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.StoreFixture;

class MemcachedWorkContractTest extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return new MemcachedFixture();
    }
}
