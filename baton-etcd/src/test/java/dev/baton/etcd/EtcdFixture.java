package dev.baton.etcd;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import dev.baton.tck.LineStores;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.server.EtcdServer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A prefix of its own on the shared server. */
final class EtcdFixture implements StoreFixture {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final LineStores stores = new LineStores();
    private final String prefix = "/fixture-" + NUMBER.incrementAndGet();

    @Override
    public StoreProvider provider() {
        return new EtcdStoreProvider();
    }

    @Override
    public String uri() {
        return EtcdServer.shared().uri() + prefix + "?ttl=2s&shortLeases=true";
    }

    @Override
    public Capabilities capabilities() {
        return EtcdStoreProvider.capabilities(2_000_000, EtcdStoreProvider.SHORTEST);
    }

    @Override
    public Store open(String clientId, Timings timings, StoreListener listener, @Nullable LongSupplier clock)
            throws StoreFailure {
        Store store = StoreFixture.super.open(clientId, timings, listener, clock);
        return clock == null ? store : stores.add(store);
    }

    @Override
    public void settle() throws StoreFailure {
        stores.lookAround();
    }

    @Override
    public void timePassed() throws StoreFailure {
        stores.timePassed();
    }

    @Override
    public long residue() throws Exception {
        return ByHand.shared().names(Keys.of(prefix, NAMESPACE).names()).size();
    }

    @Override
    public void close() {
        // The server is shared.
    }
}
