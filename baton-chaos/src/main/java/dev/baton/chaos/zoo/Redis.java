package dev.baton.chaos.zoo;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** The commands of Redis that locks are made of. Thread-safe. */
final class Redis implements AutoCloseable {
    static final String PREFIX = "zoo:";

    /** Tokens outlive their locks, as they must. */
    static final String TOKENS = PREFIX + "token:";

    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int CONNECTIONS = 32;

    private final RedisClient client;

    Redis(String uri) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        URI address = URI.create(uri);
        client = RedisClient.builder()
                .hostAndPort(address.getHost(), address.getPort())
                .clientConfig(DefaultJedisClientConfig.builder()
                        .connectionTimeoutMillis(TIMEOUT_MILLIS)
                        .socketTimeoutMillis(TIMEOUT_MILLIS)
                        .build())
                .poolConfig(pool)
                .build();
    }

    /** Sets a key that does not exist, for the time of the lease. */
    boolean setIfAbsent(Ask ask) {
        return client.set(
                        ask.key(),
                        ask.owner(),
                        SetParams.setParams().nx().px(ask.lease().toMillis()))
                != null;
    }

    /** Sets a key that does not exist, for ever. */
    boolean setIfAbsentForEver(Ask ask) {
        return client.set(ask.key(), ask.owner(), SetParams.setParams().nx()) != null;
    }

    /** Sets a key for the time of the lease, whether it exists or not. */
    void set(Ask ask) {
        client.set(ask.key(), ask.owner(), SetParams.setParams().px(ask.lease().toMillis()));
    }

    boolean isFree(Ask ask) {
        return client.get(ask.key()) == null;
    }

    boolean isOwner(Ask ask) {
        return ask.owner().equals(client.get(ask.key()));
    }

    boolean expire(Ask ask, long millis) {
        return client.pexpire(ask.key(), millis) == 1;
    }

    boolean delete(Ask ask) {
        return client.del(ask.key()) == 1;
    }

    void addWaiter(Ask ask) {
        client.sadd(ask.waitersKey(), ask.owner());
    }

    void expireWaiters(Ask ask) {
        client.pexpire(ask.waitersKey(), 2 * ask.lease().toMillis());
    }

    void removeWaiter(Ask ask) {
        client.srem(ask.waitersKey(), ask.owner());
    }

    long increment(String key) {
        return client.incr(key);
    }

    /** Runs a script that answers with a number. */
    long run(String script, List<String> keys, String... arguments) {
        return (Long) client.eval(script, keys, List.of(arguments));
    }

    /** Returns the keys that locks have left behind. */
    List<String> rest() {
        Set<String> keys = client.keys(PREFIX + '*');
        return keys.stream().filter(key -> !key.startsWith(TOKENS)).sorted().collect(Collectors.toList());
    }

    @Override
    public void close() {
        client.close();
    }
}
