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
 * protocol, because negotiating one costs a round trip, and it leaves {@link Encryption} to Baton, and the question for
 * credentials to {@link Credentials}.
 */
final class Login implements JedisClientConfig {
    private final JedisClientConfig config;
    private final UserPassword credentials;

    Login(JedisClientConfig config, UserPassword credentials) {
        this.config = config;
        this.credentials = credentials;
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
    public Supplier<RedisCredentials> getCredentialsProvider() {
        return () -> credentials;
    }

    @Override
    public @Nullable AuthXManager getAuthXManager() {
        // It would be asked in place of the provider.
        return null;
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
