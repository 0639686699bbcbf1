package dev.baton.bench;

import dev.baton.bench.Contestant.Home;
import dev.baton.bench.Contestant.Opener;
import dev.baton.bench.Contestant.Worker;
import java.util.List;
import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Redisson's locks, each client with a Redisson of its own. */
final class RedissonPeers {
    private RedissonPeers() {}

    /** Takes locks of one kind in turn. */
    static Contestant turns(String name, BiFunction<RedissonClient, String, RLock> kind) {
        return contestant(
                name,
                (redisson, names) -> new Mutex.AcquireReleaseBatch(names.stream()
                        .map(lock -> Mutex.of(kind.apply(redisson, lock)))
                        .toList()));
    }

    static Contestant contestant(String name, BiFunction<RedissonClient, List<String>, Worker> workers) {
        Opener opener = stage -> {
            RedissonClient redisson = Redisson.create(config(stage));
            return Mutex.workers(names -> workers.apply(redisson, names), redisson::shutdown);
        };
        return new Contestant(name, "Redisson " + name, Home.SERVER, opener, reduced());
    }

    /** One client is as users have it. Many in one JVM are each kept small, or the threads that idle are measured. */
    private static Config config(Stage stage) {
        Config config = new Config();
        SingleServerConfig server =
                config.useSingleServer().setAddress(stage.serverAddress().toString());
        if (stage.clients() > 1) {
            reduce(config, server);
        }
        return config;
    }

    private static void reduce(Config config, SingleServerConfig server) {
        config.setThreads(2).setNettyThreads(2);
        server.setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(4)
                .setSubscriptionConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionPoolSize(2);
    }

    /** What {@link #reduce} does, in words and with Redisson's own defaults. */
    private static String reduced() {
        Config defaults = new Config();
        String usual = sizes(defaults, defaults.useSingleServer());
        Config few = new Config();
        SingleServerConfig server = few.useSingleServer();
        reduce(few, server);
        return sizes(few, server) + " (by default " + usual + ")";
    }

    private static String sizes(Config config, SingleServerConfig server) {
        return "%d threads, %d Netty threads, %d connections, %d for subscriptions"
                .formatted(
                        config.getThreads(),
                        config.getNettyThreads(),
                        server.getConnectionPoolSize(),
                        server.getSubscriptionConnectionPoolSize());
    }
}
