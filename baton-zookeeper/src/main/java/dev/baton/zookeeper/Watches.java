package dev.baton.zookeeper;

import dev.baton.internal.ordered.OrderedServer;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * The watchers of each node. ZooKeeper's client keeps a watcher until its node changes, and a node may stay the same
 * for days: so ZooKeeper gets one watcher for each node, and Baton's watchers that have stopped waiting are forgotten.
 * Thread-safe.
 */
final class Watches {
    private static final int FEW = 8;

    private final Map<String, Target> targets = new ConcurrentHashMap<>();
    private final Consumer<Target> again;

    /**
     * Creates it without watchers.
     *
     * @param again watches a node again after a write, for the watchers that wait for its end
     */
    Watches(Consumer<Target> again) {
        this.again = again;
    }

    /** A watcher, and whether it wants to be told of writes. */
    private record Waiting(OrderedServer.Watcher watcher, boolean writes) {}

    /** A node, and its watchers. To be handed to ZooKeeper each time that a watcher was added. */
    final class Target implements Watcher {
        private final String path;
        private final List<Waiting> waiting = new ArrayList<>();
        private int crowd = FEW;

        /**
         * Whether the connection broke meanwhile. After that the server reports a node that is not there any more as
         * deleted, and says no word of a write before.
         */
        private volatile boolean interrupted;

        Target(String path) {
            this.path = path;
        }

        String path() {
            return path;
        }

        private synchronized void add(Waiting one) {
            if (waiting.size() >= crowd) {
                waiting.removeIf(each -> !each.watcher.isWanted());
                crowd = FEW + 2 * waiting.size();
            }
            waiting.add(one);
        }

        private synchronized List<OrderedServer.Watcher> all() {
            return waiting.stream().map(Waiting::watcher).toList();
        }

        /** Removes and returns the watchers that want to be told of writes. */
        private synchronized List<OrderedServer.Watcher> takeReaders() {
            List<OrderedServer.Watcher> readers = waiting.stream()
                    .filter(Waiting::writes)
                    .map(Waiting::watcher)
                    .toList();
            waiting.removeIf(each -> each.writes || !each.watcher.isWanted());
            return readers;
        }

        private synchronized boolean isWanted() {
            return !waiting.isEmpty();
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() == EventType.NodeDataChanged) {
                written(this);
            } else if (event.getType() != EventType.None) {
                end(this, event.getType() == EventType.NodeDeleted && !interrupted);
            } else if (event.getState() == KeeperState.Disconnected) {
                interrupted = true;
            } else if (event.getState() == KeeperState.Expired || event.getState() == KeeperState.Closed) {
                targets.remove(path, this);
            }
        }
    }

    Target add(String path, OrderedServer.Watcher watcher, boolean writes) {
        Target[] added = new Target[1];
        targets.compute(path, (same, before) -> {
            added[0] = before == null ? new Target(path) : before;
            added[0].add(new Waiting(watcher, writes));
            return added[0];
        });
        return added[0];
    }

    private void written(Target target) {
        target.takeReaders().forEach(each -> each.changed(false));
        boolean[] wanted = new boolean[1];
        targets.computeIfPresent(target.path, (same, present) -> {
            wanted[0] = present == target && target.isWanted();
            return present == target && !wanted[0] ? null : present;
        });
        if (wanted[0]) {
            again.accept(target);
        }
    }

    /** Tells all watchers, once. */
    void end(Target target, boolean gone) {
        targets.remove(target.path, target);
        target.all().forEach(each -> each.changed(gone));
    }

    /** The watch may not be set. A client without that right would try forever; its heartbeats read instead. */
    void failed(Target target, Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        StoreFailure known = failure instanceof StoreFailure direct
                ? direct
                : cause instanceof StoreFailure wrapped ? wrapped : null;
        if (known == null || known.reason() != StoreFailure.Reason.DENIED) {
            end(target, false);
        } else {
            targets.remove(target.path, target);
            target.all().forEach(OrderedServer.Watcher::refused);
        }
    }
}
