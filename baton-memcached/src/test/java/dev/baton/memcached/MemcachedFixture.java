package dev.baton.memcached;

import dev.baton.servers.MemcachedServer;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import dev.baton.tck.StoreFixture;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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

    @Override
    public Store open(String clientId, Timings timings, StoreListener listener, @Nullable LongSupplier clock)
            throws StoreFailure {
        if (clock == null) {
            return StoreFixture.super.open(clientId, timings, listener, null);
        }
        StoreConfig config = new StoreConfig(
                URI.create(uri()), NAMESPACE, clientId, timings, Duration.ofSeconds(20), List.of(), listener, null);
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
