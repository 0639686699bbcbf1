package dev.baton.redis;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.authentication.AuthXManager;

/**
 * What is left for Jedis to do on a new connection: to reach the host, to authenticate and to select. It names no
 * protocol, because the question for one costs the time of an answer, and it leaves {@link Encryption} to us.
 */
final class Login implements JedisClientConfig {
    private final JedisClientConfig config;

    Login(JedisClientConfig config) {
        this.config = config;
    }

    /** Jedis 8 would ask for RESP3 otherwise. Earlier versions, which users may have, have nothing to override. */
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
