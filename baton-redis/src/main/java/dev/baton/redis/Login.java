package dev.baton.redis;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.authentication.AuthXManager;

/**
 * Reduces Jedis's work on a new connection to reaching the host, authenticating and selecting the database. It names no
 * protocol, because negotiating one costs a round trip, and it leaves {@link Encryption} to Baton.
 */
final class Login implements JedisClientConfig {
    private final JedisClientConfig config;

    Login(JedisClientConfig config) {
        this.config = config;
    }

    /** Otherwise Jedis 8 would ask for RESP3. Earlier versions, which users may have, have nothing to override. */
    @SuppressWarnings("MissingOverride")
    public boolean isAutoNegotiateProtocol() {
        return false;
    }

    @Override
    public int getConnectionTimeoutMillis() {
        return config.getConnectionTimeoutMillis();
    }

    @Override
    public int getSocketTimeoutMillis() {
        return config.getSocketTimeoutMillis();
    }

    @Override
    public @Nullable String getUser() {
        return config.getUser();
    }

    @Override
    public @Nullable String getPassword() {
        return config.getPassword();
    }

    @Override
    public Supplier<RedisCredentials> getCredentialsProvider() {
        return config.getCredentialsProvider();
    }

    @Override
    public @Nullable AuthXManager getAuthXManager() {
        return config.getAuthXManager();
    }

    @Override
    public int getDatabase() {
        return config.getDatabase();
    }

    @Override
    public @Nullable HostAndPortMapper getHostAndPortMapper() {
        return config.getHostAndPortMapper();
    }

    @Override
    public ClientSetInfoConfig getClientSetInfoConfig() {
        return ClientSetInfoConfig.DISABLED;
    }
}
