package dev.baton.memcached;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Opens {@code memcached://HOST:PORT}: locks in Memcached 1.6.13 or newer, best effort. Found by
 * {@link java.util.ServiceLoader}.
 */
public final class MemcachedStoreProvider implements StoreProvider {
    /** Creates the provider; the service loader calls this. */
    public MemcachedStoreProvider() {}

    @Override
    public Map<String, Capabilities> schemes() {
        return Map.of(MemcachedAddress.SCHEME, MemcachedStore.CAPABILITIES);
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        return open(config, new ServerExpiry(config.clientId()), server -> server::nowMicros);
    }

    /** Opens a store with another expiry and another clock than the server's. */
    static Store open(StoreConfig config, Expiry expiry, Function<Server, LongSupplier> clock) throws StoreFailure {
        config.requireDriverObjectsOf();
        MemcachedAddress address = MemcachedAddress.of(config.uri());
        Keys keys = new Keys(config.namespace());
        Server server = new Server(address, new Hello(config, keys, address.target()), config.clientId());
        try {
            Deadline deadline = Deadline.in(config.connectTimeout().toNanos());
            return new MemcachedStore(
                    config,
                    keys,
                    server,
                    Facts.of(server, deadline).warnings(address.target()),
                    expiry,
                    clock.apply(server));
        } catch (StoreFailure | RuntimeException refused) {
            server.close();
            throw refused;
        }
    }
}
