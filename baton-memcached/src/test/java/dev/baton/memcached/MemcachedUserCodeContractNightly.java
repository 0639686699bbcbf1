package dev.baton.memcached;

import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.StoreFixture;

class MemcachedUserCodeContractNightly extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() {
        return new MemcachedFixture();
    }
}
