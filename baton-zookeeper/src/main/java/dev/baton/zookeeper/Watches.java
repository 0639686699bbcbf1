package dev.baton.zookeeper;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.line.LineServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * Who waits for a change of which node. ZooKeeper's client keeps a watcher until its node changes, and a node may stay
 * as it is for days: so it is given one for each node, and those who have stopped waiting are forgotten. Thread-safe.
 */
final class Watches {
    private static final int FEW = 8;

    private final Map<String, Target> targets = new ConcurrentHashMap<>();

    /** A node, and who waits. To be handed to ZooKeeper each time that somebody was added. */
    final class Target implements Watcher {
        private final String path;
        private final List<LineServer.Watcher> waiting = new ArrayList<>();
        private int crowd = FEW;

        Target(String path) {
            this.path = path;
        }

        private synchronized void add(LineServer.Watcher watcher) {
            if (waiting.size() >= crowd) {
                waiting.removeIf(each -> !each.isWanted());
                crowd = FEW + 2 * waiting.size();
            }
            waiting.add(watcher);
        }

        private synchronized List<LineServer.Watcher> all() {
            return List.copyOf(waiting);
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() != EventType.None) {
                end(this, event.getType() == EventType.NodeDeleted);
            } else if (event.getState() == KeeperState.Expired || event.getState() == KeeperState.Closed) {
                targets.remove(path, this);
            }
        }
    }

    Target add(String path, LineServer.Watcher watcher) {
        Target[] added = new Target[1];
        targets.compute(path, (same, before) -> {
            added[0] = before == null ? new Target(path) : before;
            added[0].add(watcher);
            return added[0];
        });
        return added[0];
    }

    /** Tells everybody, once. */
    void end(Target target, boolean gone) {
        targets.remove(target.path, target);
        target.all().forEach(each -> each.changed(gone));
    }

    /** The watch may not stand. Whoever may not set one would ask for ever: heartbeats look instead. */
    void failed(Target target, Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        StoreFailure known = failure instanceof StoreFailure direct
                ? direct
                : cause instanceof StoreFailure wrapped ? wrapped : null;
        if (known == null || known.reason() != StoreFailure.Reason.DENIED) {
            end(target, false);
        }
    }
}
