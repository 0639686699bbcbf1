package dev.baton.zookeeper;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.OrderedFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** A node of its own on the shared server. */
final class ZookeeperFixture extends OrderedFixture {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final String path = "/fixture-" + NUMBER.incrementAndGet();

    private final boolean shortLeases;

    /** Accepts leases as short as on other stores. */
    ZookeeperFixture() {
        this(true);
    }

    private ZookeeperFixture(boolean shortLeases) {
        this.shortLeases = shortLeases;
    }

    /** Returns a fixture that accepts no lease shorter than its session, which is the default. */
    static ZookeeperFixture withoutShortLeases() {
        return new ZookeeperFixture(false);
    }

    @Override
    public StoreProvider provider() {
        return new ZookeeperStoreProvider();
    }

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return ZookeeperStoreProvider.open(config, clock);
    }

    @Override
    public String uri() {
        return ZookeeperServers.shared() + path + "?sessionTimeout=" + session().toSeconds() + "s&shortLeases="
                + shortLeases;
    }

    @Override
    public Capabilities capabilities() {
        return ZookeeperStoreProvider.capabilities(
                session().toMillis(), shortLeases ? ZookeeperStoreProvider.SHORTEST : session());
    }

    /** If a lease is as long as the session, a pause of a busy machine must not end a case's hold. */
    private Duration session() {
        return Duration.ofSeconds(shortLeases ? 2 : 3);
    }

    @Override
    public long residue() throws Exception {
        String root = path + '/' + NAMESPACE;
        return ZookeeperServers.byHand(handle -> children(handle, root));
    }

    @Override
    public void endSession(String clientId) throws Exception {
        ZookeeperServers.expire(ZookeeperServers.byHand(handle -> owner(handle, path + '/' + NAMESPACE, clientId)));
    }

    /** Returns the session of a client's first ticket. */
    private static long owner(ZooKeeper handle, String path, String clientId) throws Exception {
        for (String bucket : handle.getChildren(path, false)) {
            for (String name : handle.getChildren(path + '/' + bucket, false)) {
                String line = path + '/' + bucket + '/' + name;
                for (String entry : handle.getChildren(line, false)) {
                    Stat stat = handle.exists(line + '/' + entry, false);
                    if (entry.startsWith("t-" + clientId) && stat != null) {
                        return stat.getEphemeralOwner();
                    }
                }
            }
        }
        throw new AssertionError("client " + clientId + " has no ticket");
    }

    private static long children(ZooKeeper handle, String path) throws Exception {
        List<String> names;
        try {
            names = handle.getChildren(path, false);
        } catch (KeeperException.NoNodeException gone) {
            // Never made, or removed since its parent was read.
            return 0;
        }
        long number = names.size();
        for (String name : names) {
            number += children(handle, path + '/' + name);
        }
        return number;
    }
}
