package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Opener;
import java.net.URI;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.jedis4.JedisLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import redis.clients.jedis.RedisClient;

/** Peers that keep their locks in Redis, but for Redisson: set up as their documents say, each client by itself. */
final class RedisPeers {
    /** A part of the names of their keys. */
    private static final String KEYS = "peers";

    private RedisPeers() {}

    static Opener lockRegistry(RedisLockType type) {
        return stage -> {
            LettuceConnectionFactory connections = connections(stage);
            RedisLockRegistry registry = new RedisLockRegistry(connections, KEYS);
            registry.setRedisLockType(type);
            return Mutex.client(name -> Mutex.of(registry.obtain(name)), () -> {
                registry.destroy();
                connections.destroy();
            });
        };
    }

    /** Sets a key and deletes it, whoever has it by then: this provider does not look. */
    static Client shedLockByJedis(Stage stage) {
        RedisClient jedis = RedisClient.create(stage.serverAddress());
        LockProvider provider = new JedisLockProvider(jedis, KEYS);
        return Mutex.client(name -> ShedLocks.of(provider, name), jedis::close);
    }

    /** Deletes only its own, as locks must; that is not this provider's default. */
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
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }
}
