package dev.baton.zookeeper;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import dev.baton.tck.LineStores;
import dev.baton.tck.StoreFixture;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** A node of its own on the shared server. */
final class ZookeeperFixture implements StoreFixture {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final LineStores stores = new LineStores();
    private final String path = "/fixture-" + NUMBER.incrementAndGet();

    @Override
    public StoreProvider provider() {
        return new ZookeeperStoreProvider();
    }

    @Override
    public String uri() {
        return ZookeeperServers.shared() + path + "?sessionTimeout=2s&shortLeases=true";
    }

    @Override
    public Capabilities capabilities() {
        return ZookeeperStoreProvider.capabilities(2_000, ZookeeperStoreProvider.SHORTEST);
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
        String root = path + '/' + NAMESPACE;
        return ZookeeperServers.byHand(handle -> children(handle, root));
    }

    private static long children(ZooKeeper handle, String path) throws Exception {
        List<String> names;
        try {
            names = handle.getChildren(path, false);
        } catch (KeeperException.NoNodeException gone) {
            // Never made, or removed since its parent was asked.
            return 0;
        }
        long number = names.size();
        for (String name : names) {
            number += children(handle, path + '/' + name);
        }
        return number;
    }

    @Override
    public void close() {
        // The server is shared.
    }
}
