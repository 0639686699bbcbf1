package dev.baton.redis;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * How to ask sentinels, and for what. Never shows its password.
 *
 * @param service the name under which the sentinels watch the servers
 * @param tls whether the connections to sentinels are encrypted
 * @param user the user at the sentinels; null for the default user
 * @param password the password at the sentinels; null for none
 * @param map for addresses that servers announce, the addresses at which they are reached from here
 */
record SentinelAccess(
        String service,
        boolean tls,
        @Nullable String user,
        @Nullable String password,
        Map<HostAndPort, HostAndPort> map) {
    @Override
    public String toString() {
        return service;
    }
}
