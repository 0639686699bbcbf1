package dev.baton.redis;

import dev.baton.tck.ClientContractFaults;
import dev.baton.tck.StoreFixture;

/** The client contract on Redis, over TLS and as a user with the least rights. */
class RedisSecuredClientContractTest extends ClientContractFaults {
    @Override
    protected StoreFixture newFixture() {
        return RedisFixture.secured();
    }
}
