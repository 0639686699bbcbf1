package dev.baton.internal.memory;

import dev.baton.internal.store.HostClock;
import dev.baton.spi.Agreement;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * {@code memory:NAME}: one server per name, shared within the JVM for as long as the JVM lives. The bare
 * {@code memory:} is a server that only one client uses.
 */
public final class MemoryStoreProvider implements StoreProvider {
    private static final Map<String, MemoryServer> SERVERS = new ConcurrentHashMap<>();

    @Override
    public Map<String, Capabilities> schemes() {
        return Map.of("memory", MemoryServer.CAPABILITIES);
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        return open(config, HostClock::micros);
    }

    /** Opens a store whose server, if it is the first client of that, goes by another clock. */
    public static Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        config.requireDriverObjectsOf();
        String name = config.uri().getSchemeSpecificPart();
        if (name.equals("/")) {
            return newServer(config, clock).connect(config.clientId(), config.listener());
        }
        MemoryServer server = SERVERS.computeIfAbsent(name + '/' + config.namespace(), key -> newServer(config, clock));
        server.agreement()
                .require(Agreement.of(config.timings()), "namespace " + config.namespace() + " of memory:" + name);
        return server.connect(config.clientId(), config.listener());
    }

    /** Returns how many names of a shared server have any state, for the residue checks. */
    public static int size(String name, String namespace) {
        MemoryServer server = SERVERS.get(name + '/' + namespace);
        return server == null ? 0 : server.size();
    }

    /** Lets a shared server go on as another process, in a grace period. Only for tests. */
    public static void restart(String name, String namespace, long graceMicros) {
        MemoryServer server = Objects.requireNonNull(SERVERS.get(name + '/' + namespace));
        server.restart("memory-" + UUID.randomUUID(), graceMicros);
    }

    private static MemoryServer newServer(StoreConfig config, LongSupplier clock) {
        return new MemoryServer(config.timings(), "memory-" + UUID.randomUUID(), clock);
    }
}
