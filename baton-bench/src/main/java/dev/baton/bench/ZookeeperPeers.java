package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Peers on ZooKeeper: configured as their documentation says, each client with its own session. */
final class ZookeeperPeers {
    private static final int CONNECT_SECONDS = 10;

    /** Curator's defaults. */
    private static final int SESSION_MILLIS = 60_000;

    private static final int CONNECT_MILLIS = 15_000;
    private static final int FIRST_RETRY_MILLIS = 1_000;
    private static final int RETRIES = 3;

    static final Setup CURATOR = Setup.of(
            "one session, which times out after %s; %d retries, the first after %s"
                    .formatted(Setup.time(SESSION_MILLIS), RETRIES, Setup.time(FIRST_RETRY_MILLIS)),
            InterProcessMutex.class);

    private ZookeeperPeers() {}

    static Client curatorMutex(Stage stage) throws InterruptedException {
        CuratorFramework curator = CuratorFrameworkFactory.newClient(
                stage.addressOf(Home.ZOOKEEPER).replaceFirst("^zookeeper://([^/?]*).*$", "$1"),
                SESSION_MILLIS,
                CONNECT_MILLIS,
                new ExponentialBackoffRetry(FIRST_RETRY_MILLIS, RETRIES));
        curator.start();
        curator.blockUntilConnected(CONNECT_SECONDS, TimeUnit.SECONDS);
        return Mutex.client(name -> of(new InterProcessMutex(curator, "/curator/" + name)), curator::close);
    }

    private static Mutex of(InterProcessMutex mutex) {
        return section -> {
            mutex.acquire();
            try {
                section.run();
            } finally {
                mutex.release();
            }
        };
    }
}
