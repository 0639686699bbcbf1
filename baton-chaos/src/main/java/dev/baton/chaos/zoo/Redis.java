package dev.baton.chaos.zoo;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/** The commands of Redis that locks are made of. Thread-safe. */
final class Redis implements AutoCloseable {
    static final String PREFIX = "zoo:";

    static final String LOCKS = PREFIX + "lock:";

    /** Tokens outlive their locks, as they must. */
    static final String TOKENS = PREFIX + "token:";

    /** The channels of clients. */
    static final String PUSHES = PREFIX + "push:";

    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int CONNECTIONS = 32;
    private static final long REPLICATION_MILLIS = 200;

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

    /** The same, if a replica has what the script wrote; throws if none has it in time. */
    long runReplicated(String script, List<String> keys, String... arguments) {
        try (Pipeline pipeline = client.pipelined()) {
            Response<Object> answer = pipeline.eval(script, keys, List.of(arguments));
            // The server counts what the same connection has written.
            Response<Long> replicas = pipeline.waitReplicas(1, REPLICATION_MILLIS);
            pipeline.sync();
            if (replicas.get() == 0) {
                throw new JedisException("no replica has it after " + REPLICATION_MILLIS + " ms");
            }
            return (Long) answer.get();
        }
    }

    /** Sets a key that does not exist, and returns its value. */
    String setOnce(String key, String value) {
        client.set(key, value, SetParams.setParams().nx());
        return client.get(key);
    }

    void set(String key, String value) {
        client.set(key, value);
    }

    @Nullable
    String get(String key) {
        return client.get(key);
    }

    void deleteField(String key, String field) {
        client.hdel(key, field);
    }

    /** Hears messages of a channel, until the connection breaks. */
    void listen(String channel, Consumer<String> told) {
        client.subscribe(
                new JedisPubSub() {
                    @Override
                    public void onMessage(String from, String message) {
                        told.accept(message);
                    }
                },
                channel);
    }

    /** Returns the server's clock. */
    long micros() {
        return run("local now = redis.call('TIME') return now[1] * 1000000 + now[2]", List.of());
    }

    /** Returns the keys that locks have left behind in a Redis. */
    static List<String> rest(String uri) {
        try (Redis redis = new Redis(uri)) {
            Set<String> keys = redis.client.keys(PREFIX + '*');
            return keys.stream().filter(key -> !key.startsWith(TOKENS)).sorted().toList();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
