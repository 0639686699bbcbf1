package dev.baton.memcached;

import dev.baton.tck.AllContracts;
import dev.baton.tck.StoreFixture;

/** Memcached keeps all contracts. */
class MemcachedContractTest extends AllContracts {
    @Override
    protected StoreFixture newFixture() {
        return new MemcachedFixture();
    }
}
