package dev.baton.etcd;

import dev.baton.spi.Capabilities;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.LineFixture;
import dev.baton.tck.server.EtcdServer;
import java.util.concurrent.atomic.AtomicLong;

/** A prefix of its own on the shared server. */
final class EtcdFixture extends LineFixture {
    private static final AtomicLong NUMBER = new AtomicLong();

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
    public void endSession(String clientId) throws Exception {
        String key = Keys.of(prefix, NAMESPACE).client(clientId);
        ByHand.shared().revoke(ByHand.shared().keys(key).get(0).getLease());
    }

    @Override
    public long residue() throws Exception {
        return ByHand.shared().names(Keys.of(prefix, NAMESPACE).names()).size();
    }
}
