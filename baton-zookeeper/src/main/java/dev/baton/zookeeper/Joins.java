package dev.baton.zookeeper;

import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.internal.ordered.OrderedServer.Joined;
import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.spi.StoreFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Tickets on their way into a queue. The creation of the ticket and a read of the queue go out together. A second try
 * follows only if the queue's container is missing, a third if its bucket is gone, and none after the attempt was
 * undone.
 */
final class Joins {
    /** Others may tidy the container away before the ticket is created, but not forever. A try takes a round trip. */
    private static final int MOST_TRIES = 30;

    private static final byte[] NOTHING = new byte[0];

    private final ZookeeperSession session;
    private final Nodes nodes;
    private final Buckets buckets;
    private final String root;
    private final Function<String, List<ACL>> acl;
    private final Map<Key, Join> joins = new ConcurrentHashMap<>();

    private record Key(String name, long attempt) {}

    Joins(ZookeeperSession session, Nodes nodes, Buckets buckets, String root, Function<String, List<ACL>> acl) {
        this.session = session;
        this.nodes = nodes;
        this.buckets = buckets;
        this.root = root;
        this.acl = acl;
    }

    CompletableFuture<Joined> join(String name, String parent, EntryLabel label, EntryNotes notes) {
        Key key = new Key(name, label.attempt());
        Join join = new Join(name, parent, label, notes);
        joins.put(key, join);
        return join.send(0).whenComplete((joined, failure) -> joins.remove(key, join));
    }

    /** Creates an entry without a number that outlives the session. */
    CompletableFuture<?> stay(String parent, EntryLabel label) {
        return stay(parent, label, 0);
    }

    private CompletableFuture<Boolean> stay(String parent, EntryLabel label, int tries) {
        String path = parent + '/' + label.text();
        return nodes.ensure(path, NOTHING, acl.apply(path), CreateMode.PERSISTENT)
                .thenCompose(made -> {
                    if (made) {
                        return CompletableFuture.completedFuture(true);
                    }
                    if (tries >= MOST_TRIES) {
                        return unknown("the node " + parent + " is removed again and again");
                    }
                    return contain(parent, tries > 0)
                            .thenCompose(there -> there ? stay(parent, label, tries + 1) : rootIsGone());
                });
    }

    /**
     * Creates a queue's container, and its bucket unless that should exist. Returns false if the namespace is missing.
     */
    private CompletableFuture<Boolean> contain(String parent, boolean bucketMayBeGone) {
        String bucket = Buckets.of(parent);
        boolean makesBucket = buckets.isNew(bucket) || bucketMayBeGone;
        CompletableFuture<Boolean> made = makesBucket ? ensure(bucket) : CompletableFuture.completedFuture(true);
        return made.thenCombine(ensure(parent), (there, contained) -> there);
    }

    private CompletableFuture<Boolean> ensure(String path) {
        return nodes.ensure(path, NOTHING, acl.apply(path), CreateMode.CONTAINER);
    }

    private static <T> CompletableFuture<T> unknown(String message) {
        return CompletableFuture.failedFuture(new StoreFailure(StoreFailure.Effect.UNKNOWN, message, null));
    }

    private <T> CompletableFuture<T> rootIsGone() {
        return CompletableFuture.failedFuture(new StoreFailure(
                StoreFailure.Effect.NONE,
                StoreFailure.Reason.UNFIT,
                "the node " + root + " of ZooKeeper at " + session.target()
                        + " was removed: connect anew to make it again",
                null));
    }

    /** Stops sending for an attempt. ZooKeeper executes everything sent before this ahead of anything sent after it. */
    void stop(String name, long attempt) {
        Join join = joins.get(new Key(name, attempt));
        if (join != null) {
            join.stop();
        }
    }

    private final class Join {
        private final String name;
        private final String parent;
        private final EntryLabel label;
        private final EntryNotes notes;
        private boolean stopped;

        Join(String name, String parent, EntryLabel label, EntryNotes notes) {
            this.name = name;
            this.parent = parent;
            this.label = label;
            this.notes = notes;
        }

        synchronized void stop() {
            stopped = true;
        }

        synchronized CompletableFuture<Joined> send(int tries) {
            if (stopped) {
                return unknown("the attempt was undone while it joined the queue of " + parent);
            }
            if (tries > MOST_TRIES) {
                return unknown("the node " + parent + " is removed again and again");
            }
            CompletableFuture<Boolean> contained =
                    tries == 0 ? CompletableFuture.completedFuture(true) : contain(parent, tries > 1);
            String path = parent + '/' + label.text() + '-';
            CompletableFuture<Optional<Nodes.Made>> made =
                    nodes.create(path, notes.encode(), acl.apply(path), CreateMode.EPHEMERAL_SEQUENTIAL);
            CompletableFuture<List<String>> children = nodes.children(parent, null);
            return made.thenCompose(node -> {
                if (node.isEmpty()) {
                    return again(contained, tries);
                }
                if (NodeNames.isUsedUp(node.get().path())) {
                    return startOver(node.get(), tries);
                }
                return undone(children.thenCompose(names -> joined(node.get(), names)));
            });
        }

        /** Restarts the numbers in a new container, which can only exist after this one is empty. */
        private CompletableFuture<Joined> startOver(Nodes.Made node, int tries) {
            CompletableFuture<Boolean> left = nodes.delete(node.path());
            CompletableFuture<Boolean> tidied = nodes.delete(parent);
            return undone(left.thenCompose(gone -> tidied))
                    .thenCompose(empty -> empty
                            ? send(tries + 1)
                            : CompletableFuture.failedFuture(new StoreFailure(
                                    StoreFailure.Effect.NONE,
                                    "the numbers of node " + parent + " are used up: nobody joins the line until it is"
                                            + " empty",
                                    null)));
        }

        private CompletableFuture<Joined> again(CompletableFuture<Boolean> contained, int tries) {
            return contained.thenCompose(there -> there ? send(tries + 1) : rootIsGone());
        }

        /** A ticket in the queue has to be undone after any failure. */
        private static <T> CompletableFuture<T> undone(CompletableFuture<T> answer) {
            return answer.exceptionallyCompose(failure -> {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                return CompletableFuture.failedFuture(
                        cause instanceof StoreFailure known
                                ? new StoreFailure(
                                        StoreFailure.Effect.UNKNOWN,
                                        known.reason(),
                                        String.valueOf(known.getMessage()),
                                        known)
                                : failure);
            });
        }

        private CompletableFuture<Joined> joined(Nodes.Made node, List<String> names) {
            Stat stat = node.stat();
            String owner = ZookeeperSession.idOf(stat.getEphemeralOwner());
            if (!owner.equals(session.id())) {
                // The node goes with the session that made it, and may be visible for a while: it must never be taken
                // for this session's.
                return CompletableFuture.failedFuture(new StoreFailure(
                        StoreFailure.Effect.UNKNOWN,
                        StoreFailure.Reason.UNREACHABLE,
                        "the session with ZooKeeper at " + session.target() + " changed meanwhile",
                        null));
            }
            Noted own = new Noted(new Entry(name, label, node.path()), stat.getCzxid(), stat.getVersion(), notes);
            return CompletableFuture.completedFuture(new Joined(own, owner, NodeNames.entries(name, parent, names)));
        }
    }
}
