package dev.baton.redis;

/** The client contract on Redis, over TLS and as a user with the least rights. */
class RedisSecuredClientContractTest extends RedisClientContractTest {
    @Override
    RedisFixture fixture() {
        return RedisFixture.secured();
    }
}
