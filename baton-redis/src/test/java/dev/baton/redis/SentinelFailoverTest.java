package dev.baton.redis;

import dev.baton.servers.RedisSentinels;

/** A failover without encryption and passwords. */
class SentinelFailoverTest extends SentinelFailoverCases {
    @Override
    RedisSentinels start() {
        return RedisSentinels.start();
    }

    @Override
    String uri(RedisSentinels started) {
        return started.uri();
    }
}
