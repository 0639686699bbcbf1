package dev.baton.bench;

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

    /** Acquires locks of one kind in turn. */
    static Contestant turns(String name, BiFunction<RedissonClient, String, RLock> kind) {
        return contestant(
                name,
                (redisson, names) -> new Mutex.AcquireReleaseBatch(names.stream()
                        .map(lock -> Mutex.of(kind.apply(redisson, lock)))
                        .toList()));
    }

    static Contestant contestant(String name, BiFunction<RedissonClient, List<String>, Worker> workers) {
        Opener opener = stage -> {
            Config config = new Config();
            configure(config, stage.clients()).setAddress(stage.serverAddress().toString());
            RedissonClient redisson = Redisson.create(config);
            return Mutex.workers(names -> workers.apply(redisson, names), redisson::shutdown);
        };
        return new Contestant(name, "Redisson " + name, Home.SERVER, opener, setup());
    }

    /** One client has the defaults. Many clients in one JVM are kept small, or idle threads would be measured. */
    private static SingleServerConfig configure(Config config, int clients) {
        SingleServerConfig server = config.useSingleServer();
        if (clients > 1) {
            config.setThreads(2).setNettyThreads(2);
            server.setConnectionMinimumIdleSize(1)
                    .setConnectionPoolSize(4)
                    .setSubscriptionConnectionMinimumIdleSize(1)
                    .setSubscriptionConnectionPoolSize(2);
        }
        return server;
    }

    static Setup setup() {
        String alone = sizes(1);
        String crowded = sizes(2) + " (cut down, so that idle threads are not measured; by default " + alone + ")";
        String watchdog = ", watchdog " + Setup.time(new Config().getLockWatchdogTimeout());
        return new Setup(List.of(Redisson.class), "defaults: " + alone + watchdog, crowded + watchdog);
    }

    private static String sizes(int clients) {
        Config config = new Config();
        SingleServerConfig server = configure(config, clients);
        return "%d threads, %d Netty threads, pool of %d connections, %d for subscriptions"
                .formatted(
                        config.getThreads(),
                        config.getNettyThreads(),
                        server.getConnectionPoolSize(),
                        server.getSubscriptionConnectionPoolSize());
    }
}
