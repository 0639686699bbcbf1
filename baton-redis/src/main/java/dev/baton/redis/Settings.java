package dev.baton.redis;

import dev.baton.spi.StoreConfig;
import java.util.Optional;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.JedisClientConfig;

/** The settings for Jedis, from the address and from the application's own configuration; without user and password. */
final class Settings {
    private Settings() {}

    static JedisClientConfig of(RedisAddress address, StoreConfig config) {
        return of(address, config, config.connectTimeout().toMillis());
    }

    /** Returns the same with another time limit. */
    static JedisClientConfig of(RedisAddress address, StoreConfig config, long limitMillis) {
        int connectMillis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, limitMillis));
        Optional<JedisClientConfig> brought = config.driverObject(JedisClientConfig.class);
        DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder();
        brought.ifPresent(builder::from);
        builder.connectionTimeoutMillis(connectMillis).socketTimeoutMillis(connectMillis);
        if (address.database() != 0) {
            builder.database(address.database());
        }
        if (!address.map().isEmpty()) {
            HostAndPortMapper other =
                    brought.map(JedisClientConfig::getHostAndPortMapper).orElse(null);
            builder.hostAndPortMapper(announced -> {
                HostAndPort reached = address.map().get(announced);
                return reached != null || other == null ? reached : other.getHostAndPort(announced);
            });
        }
        return builder.build();
    }

    /** Returns the settings for connections to sentinels. */
    static JedisClientConfig ofSentinels(int timeoutMillis) {
        return DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis(timeoutMillis)
                .socketTimeoutMillis(timeoutMillis)
                .build();
    }
}
