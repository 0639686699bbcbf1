package dev.baton.redis;

import dev.baton.servers.RedisSentinels;

/** A failover over TLS, as users with the least rights. */
class SentinelSecuredFailoverNightly extends SentinelFailoverCases {
    @Override
    RedisSentinels start() {
        return RedisFixture.securedSentinels();
    }

    @Override
    String uri(RedisSentinels started) {
        return RedisFixture.securedUri(started);
    }
}
