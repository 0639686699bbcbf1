package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.UnansweredException;
import dev.baton.chaos.lock.Wanted;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Locks on ZooKeeper: the first of the nodes below a lock's name holds it. A node bears the name of its request, so that
 * a node whose creation was not answered can be found and deleted. Thread-safe.
 */
final class SessionLocker extends LeaseLocker {
    private static final String ROOT = "/zoo";
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final Duration POLL = Duration.ofMillis(4);

    private final SessionDesign design;
    private final String connect;
    private final int client;
    private final AtomicLong attempts = new AtomicLong();
    private final Set<Node> unwanted = ConcurrentHashMap.newKeySet();
    private final ReentrantLock guard = new ReentrantLock();
    private @Nullable ZooKeeper session;

    /** A request's node, whose number is not known if its creation was not answered. */
    private record Node(String parent, String owner) {}

    /** A step at the server. */
    private interface Step<T> {
        T take(ZooKeeper server) throws KeeperException, InterruptedException;
    }

    SessionLocker(SessionDesign design, String uri, Duration lease, int client) {
        super(lease);
        this.design = design;
        this.connect = hostAndPort(uri);
        this.client = client;
    }

    private static String hostAndPort(String uri) {
        return uri.replaceAll("^zookeeper://|[/?].*$", "");
    }

    /** Returns the present session, or a new one if it is over. */
    private ZooKeeper session() throws IOException {
        guard.lock();
        try {
            ZooKeeper present = session;
            if (present == null || !present.getState().isAlive()) {
                present = new ZooKeeper(connect, (int) lease().toMillis(), event -> {});
                session = present;
            }
            return present;
        } finally {
            guard.unlock();
        }
    }

    private <T> T ask(Step<T> step) throws InterruptedException {
        while (true) {
            try {
                return step.take(session());
            } catch (KeeperException.SessionExpiredException over) {
                // With a new session, which has none of the old one's nodes.
                HostTime.sleep(POLL);
            } catch (KeeperException | IOException unanswered) {
                throw new UnansweredException(unanswered);
            }
        }
    }

    @Override
    Optional<HeldLease> take(Wanted wanted, Duration wait) throws InterruptedException {
        String name = wanted.name();
        Node node = new Node(ROOT + '/' + name, Owner.ATTEMPT.of(client, attempts.incrementAndGet()));
        sweep();
        try {
            return wait(node, create(node), wait);
        } catch (UnansweredException | InterruptedException over) {
            unwanted.add(node);
            throw over;
        }
    }

    private Optional<HeldLease> wait(Node node, String path, Duration limit) throws InterruptedException {
        long began = HostTime.nanos();
        boolean over;
        do {
            // The last look comes after the time is over.
            over = HostTime.since(began).compareTo(limit) >= 0;
            long sent = HostTime.nanos();
            if (hasTurn(node.parent(), path)) {
                long until = design.belief().until(sent, HostTime.nanos(), lease());
                return Optional.of(lease(node, path, until)).filter(LeaseLocker::isWorthIt);
            }
            if (!over) {
                HostTime.sleep(POLL);
            }
        } while (!over);
        boolean unused = delete(path);
        return Optional.empty();
    }

    private String create(Node node) throws InterruptedException {
        return ask(server -> {
            for (String parent : List.of(ROOT, node.parent())) {
                try {
                    if (server.exists(parent, false) == null) {
                        server.create(parent, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                    }
                } catch (KeeperException.NodeExistsException another) {
                    // As wanted.
                }
            }
            return server.create(
                    node.parent() + '/' + node.owner() + '-',
                    new byte[0],
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    design.nodes().mode());
        });
    }

    /** Whether the request of a node has the lock. */
    private boolean hasTurn(String parent, String path) throws InterruptedException {
        return ask(server -> {
            Optional<String> first =
                    server.getChildren(parent, false).stream().min(Comparator.comparing(SessionLocker::number));
            if (design.turn() == SessionDesign.Turn.NO_NODE_IS_EARLIER) {
                return first.isEmpty() || number(first.get()).compareTo(number(path)) >= 0;
            }
            return first.isPresent() && path.equals(parent + '/' + first.get()) && isOwn(server, path);
        });
    }

    private boolean isOwn(ZooKeeper server, String path) throws KeeperException, InterruptedException {
        Stat stat = server.exists(path, false);
        return stat != null && design.nodes().isOwn(stat, server.getSessionId());
    }

    private static String number(String child) {
        return child.substring(child.lastIndexOf('-') + 1);
    }

    private HeldLease lease(Node node, String path, long until) {
        return new HeldLease(
                new HeldLease.Upkeep() {
                    @Override
                    public boolean prolong() {
                        return uninterrupted(() -> ask(server -> isOwn(server, path)));
                    }

                    @Override
                    public boolean free() {
                        try {
                            return uninterrupted(() -> delete(path));
                        } catch (UnansweredException unanswered) {
                            unwanted.add(node);
                            throw unanswered;
                        }
                    }
                },
                new HeldLease.Manners(design.belief(), Notice.REFUSED_WHILE_HELD, Errors.DOCUMENTED, lease()),
                -1,
                until);
    }

    private interface Interruptible {
        boolean run() throws InterruptedException;
    }

    private static boolean uninterrupted(Interruptible step) {
        try {
            return step.run();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            throw new UnansweredException(closed);
        }
    }

    /** Deletes a node. Returns whether it was there. */
    private boolean delete(String path) throws InterruptedException {
        return ask(server -> isDeleted(server, path));
    }

    private static boolean isDeleted(ZooKeeper server, String path) throws KeeperException, InterruptedException {
        try {
            server.delete(path, -1);
            return true;
        } catch (KeeperException.NoNodeException gone) {
            return false;
        }
    }

    /** Deletes the nodes of requests that are over, and whose creation or deletion was not answered. */
    private void sweep() throws InterruptedException {
        for (Node node : unwanted) {
            ask(server -> {
                for (String child : server.getChildren(node.parent(), false)) {
                    if (child.startsWith(node.owner() + '-')) {
                        isDeleted(server, node.parent() + '/' + child);
                    }
                }
                return unwanted.remove(node);
            });
        }
    }

    /** Returns the nodes that locks have left behind. */
    static List<String> rest(String uri) {
        List<String> rest = new ArrayList<>();
        try (SessionLocker reader = new SessionLocker(SessionDesign.SOUND, uri, SESSION, 0)) {
            reader.ask(server -> {
                for (String name : server.getChildren(ROOT, false)) {
                    server.getChildren(ROOT + '/' + name, false).forEach(child -> rest.add(name + '/' + child));
                }
                return rest;
            });
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
        return rest;
    }

    @Override
    public void close() {
        super.close();
        guard.lock();
        try {
            if (session != null) {
                session.close();
            }
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        } finally {
            guard.unlock();
        }
    }
}
