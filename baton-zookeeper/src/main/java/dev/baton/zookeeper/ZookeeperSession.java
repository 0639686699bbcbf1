package dev.baton.zookeeper;

import dev.baton.spi.StoreFailure;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** The present session of a client. Thread-safe. */
final class ZookeeperSession implements AutoCloseable {
    /** Receives the events of sessions. */
    interface Events {
        /** A session is over. */
        void ended(String session);

        /** The connection was interrupted, and is back. */
        void reconnected();
    }

    /** How many background failures Curator keeps, to throw each at the next caller that asks for its connection. */
    private static final int KEPT_BY_CURATOR = 10;

    private final CuratorFramework framework;
    private final boolean own;
    private final String target;
    private final ConnectionStateListener listener = this::onState;
    private volatile @Nullable ZooKeeper handle;
    private volatile String id = "";
    private volatile int timeoutMillis;
    private volatile @Nullable Events events;

    ZookeeperSession(CuratorFramework framework, boolean own, String target) {
        this.framework = framework;
        this.own = own;
        this.target = target;
    }

    String target() {
        return target;
    }

    CuratorFramework framework() {
        return framework;
    }

    boolean isOwn() {
        return own;
    }

    void tell(Events hearer) {
        events = hearer;
    }

    /** Connects, unless the application has. */
    void open(long timeoutNanos, boolean encrypted) throws StoreFailure {
        framework.getConnectionStateListenable().addListener(listener);
        if (own) {
            framework.start();
        }
        try {
            boolean connected = framework.blockUntilConnected(
                    (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + 1),
                    TimeUnit.MILLISECONDS);
            if (!connected) {
                throw new StoreFailure(
                        StoreFailure.Effect.NONE,
                        StoreFailure.Reason.UNREACHABLE,
                        "no answer from ZooKeeper at " + target + " within "
                                + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                                + " ms: check that it runs, that a majority of its members does, and that it can be reached from here"
                                + (encrypted
                                        ? "; with TLS, that the port speaks it, and that the certificate is trusted and"
                                                + " names this host"
                                        : ""),
                        null);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreFailure(
                    StoreFailure.Effect.NONE, "interrupted while connecting to ZooKeeper at " + target, interrupted);
        }
        refresh();
        if (handle == null) {
            throw Failures.noSession(target);
        }
    }

    /** Returns the members, each as host and port. */
    List<String> servers() {
        String all = framework.getZookeeperClient().getCurrentConnectionString();
        return List.of(all.split("/", 2)[0].split(","));
    }

    /** Returns the connection to use now; null while there is no session. */
    @Nullable
    ZooKeeper handle() {
        return handle;
    }

    /** Returns the identity of the present session; empty while there is none. */
    String id() {
        ZooKeeper now = handle;
        return now != null && now.getState().isAlive() ? id : "";
    }

    static String idOf(long number) {
        return Long.toHexString(number);
    }

    /** Returns the timeout that was last agreed on. */
    long timeoutMillis() {
        return timeoutMillis;
    }

    private void onState(CuratorFramework client, ConnectionState state) {
        switch (state) {
            case CONNECTED, RECONNECTED -> onConnected();
            case LOST -> end();
            default -> {
                // Suspended: belief counts down from the last answer, regardless of the reason for the silence.
            }
        }
    }

    private void onConnected() {
        String before = id;
        refresh();
        Events hearer = events;
        if (hearer != null) {
            if (!before.isEmpty() && !before.equals(id)) {
                hearer.ended(before);
            }
            hearer.reconnected();
        }
    }

    private void end() {
        String before = id;
        handle = null;
        id = "";
        Events hearer = events;
        if (hearer != null && !before.isEmpty()) {
            hearer.ended(before);
        }
    }

    private void refresh() {
        for (int tries = 0; tries <= KEPT_BY_CURATOR; tries++) {
            try {
                ZooKeeper now = framework.getZookeeperClient().getZooKeeper();
                if (now.getSessionId() != 0) {
                    timeoutMillis = now.getSessionTimeout();
                    id = idOf(now.getSessionId());
                    handle = now;
                }
                return;
            } catch (Exception background) {
                // It failed some time ago, and is thrown at the next caller that asks for the connection: ask again.
            }
        }
        // A session that goes on is not given up for it, and the next change of state reports another session.
    }

    @Override
    public void close() {
        framework.getConnectionStateListenable().removeListener(listener);
        events = null;
        if (own) {
            handle = null;
            framework.close();
        }
    }
}
