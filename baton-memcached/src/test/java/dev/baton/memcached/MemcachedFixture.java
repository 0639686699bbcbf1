package dev.baton.memcached;

import dev.baton.servers.MemcachedServer;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.StoreFixture;
import java.time.Duration;
import java.util.function.LongSupplier;

/** A real Memcached that evicts nothing, emptied. All tests of the JVM share the server. */
final class MemcachedFixture implements StoreFixture {
    /** The server that tests share. */
    private static final class Shared {
        private static final MemcachedServer SERVER = MemcachedServer.start("-M");
    }

    private final MemcachedServer server = Shared.SERVER;

    MemcachedFixture() {
        server.command("flush_all");
    }

    @Override
    public StoreProvider provider() {
        return new MemcachedStoreProvider();
    }

    @Override
    public String uri() {
        return server.uri();
    }

    /** Memcached ends items by its own clock; on another clock deadlines end them. */
    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return MemcachedStoreProvider.open(config, new DeadlineExpiry(), server -> clock);
    }

    @Override
    public long residue() {
        return server.command("lru_crawler metadump all").stream()
                .filter(line -> line.startsWith("key=" + NAMESPACE + "%3A"))
                .count();
    }

    /** The server's clock is known to a second, and items end at whole seconds. */
    @Override
    public Duration expiryGrain() {
        return Duration.ofSeconds(3);
    }

    @Override
    public void close() {
        // The server keeps running, for the next test.
    }
}
