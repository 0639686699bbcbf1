package dev.baton.redis;

import java.util.Set;
import java.util.function.BiFunction;

/**
 * One primary of a cluster with its replicas, as a client sees it: a node, which is wherever the primary is, and the buckets
 * that it keeps. Thread-safe; one thread at a time changes it.
 */
final class ClusterShard implements Buckets, AutoCloseable {
    private final Primary primary;
    private final Node node;
    private volatile Set<String> ids;
    private volatile long bits;

    /**
     * Creates a shard that is not connected.
     *
     * @param nodes makes a node whose server is the given primary and keeps the given buckets
     */
    ClusterShard(ClusterMap.Shard told, Primary primary, BiFunction<Primary, Buckets, Node> nodes) {
        this.primary = primary;
        this.ids = told.ids();
        this.bits = told.bits();
        boolean unused = primary.moveTo(told.primary());
        this.node = nodes.apply(primary, this);
    }

    @Override
    public long bits() {
        return bits;
    }

    Node node() {
        return node;
    }

    Primary primary() {
        return primary;
    }

    /** Returns how many of its members are in another description: one of them may have become the primary. */
    int inCommonWith(ClusterMap.Shard told) {
        return (int) ids.stream().filter(told.ids()::contains).count();
    }

    /** Follows the primary and the slots. */
    void follow(ClusterMap.Shard told) {
        ids = told.ids();
        boolean others = bits != told.bits();
        bits = told.bits();
        if (primary.moveTo(told.primary())) {
            node.hurry();
        } else if (others) {
            node.listenAnew();
        }
    }

    @Override
    public void close() {
        node.close();
        primary.close();
    }
}
