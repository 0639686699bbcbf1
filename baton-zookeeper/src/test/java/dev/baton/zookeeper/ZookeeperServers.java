package dev.baton.zookeeper;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** Servers for the tests, in this JVM. */
final class ZookeeperServers {
    /** 100 ms: sessions of 200 ms and more. */
    static final int TICK_MILLIS = 100;

    private ZookeeperServers() {}

    private static final class Shared {
        static final InnerServer SERVER = start();

        static {
            // Its data lies in the system's directory for temporary files.
            Runtime.getRuntime().addShutdownHook(new Thread(Shared::close));
        }

        private static InnerServer start() {
            try {
                return new InnerServer();
            } catch (Exception e) {
                throw new IllegalStateException("no ZooKeeper could be started", e);
            }
        }

        private static void close() {
            try {
                SERVER.close();
            } catch (IOException litter) {
                // The rest stays in that directory.
            }
        }
    }

    /** Returns the address of a server that all tests share. */
    static String shared() {
        return "zookeeper://" + Shared.SERVER.servers();
    }

    /** Ends a session on the server that all tests share, as if it had expired. */
    static void expire(long session) {
        Shared.SERVER.expire(session);
    }

    /** A read with ZooKeeper's own client. */
    interface Look<T> {
        T at(ZooKeeper handle) throws Exception;
    }

    static <T> T byHand(Look<T> look) throws Exception {
        return byHand(Shared.SERVER.servers(), look);
    }

    @SuppressWarnings("try") // closing may be interrupted
    static <T> T byHand(String servers, Look<T> look) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper handle = new ZooKeeper(servers, 10_000, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
            }
        })) {
            connected.await();
            return look.at(handle);
        }
    }
}
