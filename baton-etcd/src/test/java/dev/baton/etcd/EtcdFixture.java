package dev.baton.etcd;

import dev.baton.servers.EtcdServer;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.OrderedFixture;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A prefix of its own on the shared server. */
final class EtcdFixture extends OrderedFixture {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final String prefix = "/fixture-" + NUMBER.incrementAndGet();

    private final boolean shortLeases;

    /** Accepts leases as short as on other stores. */
    EtcdFixture() {
        this(true);
    }

    private EtcdFixture(boolean shortLeases) {
        this.shortLeases = shortLeases;
    }

    /** Returns a fixture that accepts no lease shorter than its client's with etcd, which is the default. */
    static EtcdFixture withoutShortLeases() {
        return new EtcdFixture(false);
    }

    @Override
    public StoreProvider provider() {
        return new EtcdStoreProvider();
    }

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return EtcdStoreProvider.open(config, clock);
    }

    @Override
    public String uri() {
        return EtcdServer.shared().uri() + prefix + "?ttl=2s&shortLeases=" + shortLeases;
    }

    @Override
    public Capabilities capabilities() {
        return EtcdStoreProvider.capabilities(
                2_000_000, shortLeases ? EtcdStoreProvider.SHORTEST : Duration.ofSeconds(2));
    }

    @Override
    public void endSession(String clientId) throws Exception {
        String key = Keys.of(prefix, NAMESPACE).client(clientId);
        ByHand.shared().revoke(ByHand.shared().keys(key).get(0).getLease());
    }

    @Override
    public long residue() throws Exception {
        return ByHand.shared().names(Keys.of(prefix, NAMESPACE).names()).size();
    }
}
