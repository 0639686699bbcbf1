package dev.baton.tck;

import dev.baton.internal.memory.MemoryServer;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreProvider;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The memory store under test: a server of its own, on the clock of the first client that brings one. */
public final class MemoryFixture implements StoreFixture {
    private volatile @Nullable LongSupplier clock;
    private @Nullable MemoryServer server;

    /** A new, empty server. */
    public MemoryFixture() {}

    @Override
    public StoreProvider provider() {
        return new StoreProvider() {
            @Override
            public Set<String> schemes() {
                return Set.of("memory");
            }

            @Override
            public Capabilities capabilities() {
                return MemoryServer.CAPABILITIES;
            }

            @Override
            public Store open(StoreConfig config) {
                return server(config).connect(config.clientId(), config.listener());
            }
        };
    }

    @Override
    public String uri() {
        return "memory:tck";
    }

    @Override
    public synchronized long residue() {
        return server == null ? 0 : server.size();
    }

    @Override
    public void close() {
        // The server goes with its last reference.
    }

    private synchronized MemoryServer server(StoreConfig config) {
        if (config.clock() != null) {
            clock = config.clock();
        }
        if (server == null) {
            server = new MemoryServer(config.timings(), "memory", this::nowMicros);
        }
        return server;
    }

    private long nowMicros() {
        LongSupplier given = clock;
        return given != null ? given.getAsLong() : System.currentTimeMillis() * 1_000;
    }
}
