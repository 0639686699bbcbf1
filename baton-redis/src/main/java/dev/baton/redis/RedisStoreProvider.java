package dev.baton.redis;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisClientConfig;

/**
 * Opens {@code redis://HOST:PORT/DATABASE}, and {@code rediss://…} for TLS: locks in Redis or Valkey. Found by
 * {@link java.util.ServiceLoader}.
 *
 * <p>Accepts an {@link SSLContext} or a {@link JedisClientConfig} of the application, as a resource of the client's
 * options. A client keeps two connections for its whole life, but a pool lends a connection for one command; so pass
 * the configuration of the pool, not the pool.
 */
public final class RedisStoreProvider implements StoreProvider {
    /** Creates the provider; the service loader calls this. */
    public RedisStoreProvider() {}

    @Override
    public Map<String, Capabilities> schemes() {
        return Map.of(RedisAddress.PLAIN, RedisStore.CAPABILITIES, RedisAddress.TLS, RedisStore.CAPABILITIES);
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        return open(config, null);
    }

    /** Opens a store that goes by another clock than the server's, or by that with null. */
    static Store open(StoreConfig config, @Nullable LongSupplier clock) throws StoreFailure {
        config.requireDriverObjectsOf(SSLContext.class, JedisClientConfig.class);
        RedisAddress address = RedisAddress.of(config.uri());
        JedisClientConfig jedis = Settings.of(address, config);
        Dialer dialer = new Dialer(
                address,
                jedis,
                Encryption.of(address, config),
                "baton-" + config.clientId().substring(0, 6));
        return new Opening(config, clock, address, dialer)
                .open(Deadline.in(config.connectTimeout().toNanos()));
    }

    /** Builds all parts of one client's store. */
    private static final class Opening {
        private final Dialer dialer;
        private final String target;
        private final Keys keys;
        private final Commands commands;
        private final Hello hello;
        private final RecentReleases recent = new RecentReleases();
        private final Subscription subscription;
        private final String threads;
        private volatile @Nullable Pipeline commandsGoBy;
        private volatile String lastHistory = "";

        Opening(StoreConfig config, @Nullable LongSupplier clock, RedisAddress address, Dialer dialer) {
            this.dialer = dialer;
            this.target = address.target();
            this.keys = new Keys(config.namespace());
            Scripts scripts = new Scripts(keys, config.timings());
            this.commands = new Commands(scripts, keys, config, clock);
            this.hello = new Hello(config, keys, scripts, target);
            this.threads = "baton-" + config.clientId().substring(0, 6) + "-redis";
            this.subscription = new Subscription(
                    dialer,
                    keys.channels() + config.clientId(),
                    config.listener(),
                    this::lookAfterCommands,
                    threads + "-push");
        }

        Store open(Deadline deadline) throws StoreFailure {
            Dialer.Open first = dialer.open();
            try {
                hello.say(first);
                List<String> warnings = new ArrayList<>(first.warnings());
                warnings.addAll(hello.warnings(first));
                lastHistory = first.server().history();
                String refusal = subscription.start(deadline);
                if (refusal != null) {
                    warnings.add("nothing pushed by Redis at " + target
                            + " can be heard, so waiting takes up to a second longer than it must: " + refusal);
                }
                Pipeline pipeline = new Pipeline(first.wire(), this::connectAgain, target, threads);
                commandsGoBy = pipeline;
                return new RedisStore(commands, keys, pipeline, subscription, recent, warnings, target);
            } catch (StoreFailure | RuntimeException refused) {
                subscription.close();
                first.close();
                throw refused;
            }
        }

        private void lookAfterCommands() {
            Pipeline pipeline = commandsGoBy;
            if (pipeline != null) {
                pipeline.lookAfterTheConnection();
            }
        }

        /**
         * Reconnects, and sends the last releases again: another server process, or the same one with other data, may
         * have forgotten them.
         */
        private Wire connectAgain() throws StoreFailure {
            Dialer.Open open = dialer.open();
            try {
                hello.say(open);
                Wire wire = open.wire();
                String history = open.server().history();
                if (!lastHistory.equals(history)) {
                    Resending.send(recent.all(), commands, wire);
                    lastHistory = history;
                }
                subscription.follow(wire.runId());
                return wire;
            } catch (StoreFailure | RuntimeException refused) {
                open.close();
                throw refused;
            }
        }
    }
}
