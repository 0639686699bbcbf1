package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Peers that keep their locks in etcd: configured as their documentation says, each client with a lease of its own. */
final class EtcdPeers {
    private static final int PATIENCE_SECONDS = 30;
    private static final int LEASE_SECONDS = 30;

    static final Setup JETCD = Setup.of(
            "one channel, one lease of " + LEASE_SECONDS + " s that is kept alive", io.etcd.jetcd.Client.class);

    private EtcdPeers() {}

    static Client jetcdLock(Stage stage) throws Exception {
        io.etcd.jetcd.Client jetcd = io.etcd.jetcd.Client.builder()
                .target("ip:///" + stage.addressOf(Home.ETCD).replaceFirst("^etcd://([^/?]*).*$", "$1"))
                .build();
        long lease = answer(jetcd.getLeaseClient().grant(LEASE_SECONDS)).getID();
        CloseableClient keepAlive =
                jetcd.getLeaseClient().keepAlive(lease, Observers.<LeaseKeepAliveResponse>observer(alive -> {}));
        Lock locks = jetcd.getLockClient();
        return Mutex.client(
                name -> of(locks, ByteSequence.from("jetcd/" + name, StandardCharsets.UTF_8), lease), () -> {
                    keepAlive.close();
                    jetcd.close();
                });
    }

    private static Mutex of(Lock locks, ByteSequence name, long lease) {
        return section -> {
            ByteSequence key = answer(locks.lock(name, lease)).getKey();
            try {
                section.run();
            } finally {
                answer(locks.unlock(key));
            }
        };
    }

    private static <T> T answer(CompletableFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
