package dev.baton.redis;

import dev.baton.spi.StoreConfig;
import java.util.Optional;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentialsProvider;
import redis.clients.jedis.JedisClientConfig;

/** The settings for Jedis, from the address and from the application's own configuration. */
final class Settings {
    private Settings() {}

    static JedisClientConfig of(RedisAddress address, StoreConfig config) {
        int connectMillis = (int)
                Math.max(1, Math.min(Integer.MAX_VALUE, config.connectTimeout().toMillis()));
        Optional<JedisClientConfig> brought = config.driverObject(JedisClientConfig.class);
        DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder();
        brought.ifPresent(builder::from);
        builder.connectionTimeoutMillis(connectMillis).socketTimeoutMillis(connectMillis);
        if (address.user() != null) {
            builder.user(address.user());
        }
        if (address.password() != null) {
            builder.password(address.password());
        }
        if (address.database() != 0) {
            builder.database(address.database());
        }
        return new Login(builder.build());
    }

    /** Returns whether a password, or a token, is sent. */
    static boolean hasPassword(JedisClientConfig config) {
        // Only Jedis's own provider is asked now; others are asked when a connection is opened.
        return config.getAuthXManager() != null
                || !(config.getCredentialsProvider() instanceof DefaultRedisCredentialsProvider)
                || config.getPassword() != null;
    }
}
