package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Opener;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.jedis4.JedisLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.util.JedisURIHelper;

/** Peers on Redis except Redisson: configured as their documentation says, each client with its own connections. */
final class RedisPeers {
    /** A part of the names of the keys. */
    private static final String KEYS = "peers";

    /** The default of {@code RedisLockRegistry}, and so is the pause between two polls. */
    private static final Duration EXPIRY = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final ConnectionPoolConfig JEDIS_POOL = new ConnectionPoolConfig();
    private static final boolean SHARED = true;
    private static final String LETTUCE =
            SHARED ? "one Lettuce connection for all threads" : "a Lettuce connection for each call";

    static final Setup LOCK_REGISTRY = Setup.of(
            "defaults: %s, a lock expires after %s, a waiter that polls does so every %s"
                    .formatted(LETTUCE, Setup.time(EXPIRY), Setup.time(POLL)),
            RedisLockRegistry.class,
            RedisURI.class);

    static final Setup SHED_LOCK_JEDIS = Setup.of(
            "pool of %d connections (the default of Jedis), %s".formatted(JEDIS_POOL.getMaxTotal(), ShedLocks.SETTINGS),
            JedisLockProvider.class,
            RedisClient.class);

    static final Setup SHED_LOCK_SPRING =
            Setup.of(LETTUCE + ", safe updates, " + ShedLocks.SETTINGS, RedisLockProvider.class, RedisURI.class);

    private RedisPeers() {}

    static Opener lockRegistry(RedisLockType type) {
        return stage -> {
            LettuceConnectionFactory connections = connections(stage);
            RedisLockRegistry registry = new RedisLockRegistry(connections, KEYS, EXPIRY);
            registry.setRedisLockType(type);
            registry.setIdleBetweenTries(POLL);
            return Mutex.client(name -> Mutex.of(registry.obtain(name)), () -> {
                registry.destroy();
                connections.destroy();
            });
        };
    }

    /** Sets a key and deletes it even if another client owns it by then: this provider does not check. */
    static Client shedLockByJedis(Stage stage) {
        URI address = stage.serverAddress();
        RedisClient jedis = RedisClient.builder()
                .hostAndPort(JedisURIHelper.getHostAndPort(address))
                .clientConfig(DefaultJedisClientConfig.builder(address).build())
                .poolConfig(JEDIS_POOL)
                .build();
        LockProvider provider = new JedisLockProvider(jedis, KEYS);
        return Mutex.client(name -> ShedLocks.of(provider, name), jedis::close);
    }

    /** Deletes only its own key, as locks must; this is not the default of this provider. */
    static Client shedLockBySpring(Stage stage) {
        LettuceConnectionFactory connections = connections(stage);
        LockProvider provider =
                new RedisLockProvider.Builder(connections).safeUpdate(true).build();
        return Mutex.client(name -> ShedLocks.of(provider, name), connections::destroy);
    }

    private static LettuceConnectionFactory connections(Stage stage) {
        URI address = stage.serverAddress();
        LettuceConnectionFactory connections =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(address.getHost(), address.getPort()));
        connections.setShareNativeConnection(SHARED);
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }
}
