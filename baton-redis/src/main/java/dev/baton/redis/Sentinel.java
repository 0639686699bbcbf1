package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import redis.clients.jedis.HostAndPort;

/**
 * A primary with replicas, watched by sentinels: one node, which is wherever the newest answer of a sentinel says. If no
 * sentinel can be reached, it stays where it is.
 */
final class Sentinel implements Topology {
    private final Sentinels sentinels;
    private final Primary primary;
    private final Node node;
    private final SentinelWatch watch;
    private final List<String> warnings = new ArrayList<>();

    private Sentinel(Sentinels sentinels, Primary primary, Node node, String service, String client) {
        this.sentinels = sentinels;
        this.primary = primary;
        this.node = node;
        this.watch = new SentinelWatch(
                sentinels, service, this::follow, client, "baton-" + client.substring(0, 6) + "-redis-sentinels");
    }

    /**
     * Connects.
     *
     * @param node reaches its server by the given primary
     * @param client the client's identity
     */
    static Sentinel open(
            Sentinels sentinels, Primary primary, Node node, String service, String client, Deadline deadline)
            throws StoreFailure {
        Sentinel topology = new Sentinel(sentinels, primary, node, service, client);
        try {
            Dialer.Open first = topology.first(deadline);
            topology.warnings.addAll(sentinels.warnings());
            topology.warnings.addAll(node.start(first, false, deadline));
            topology.watch.start();
            return topology;
        } catch (StoreFailure | RuntimeException refused) {
            topology.close();
            throw refused;
        }
    }

    /** Connects to the primary; asks again while a failover is under way, as long as connecting may take. */
    private Dialer.Open first(Deadline deadline) throws StoreFailure {
        while (true) {
            boolean unused = primary.moveTo(sentinels.askAll().primary());
            try {
                return primary.open();
            } catch (StoreFailure failure) {
                if (failure.reason() != Reason.UNREACHABLE || deadline.leftNanos() <= 0) {
                    throw failure;
                }
            }
        }
    }

    private void follow() {
        HostAndPort newest = sentinels.primary();
        if (newest != null && primary.moveTo(newest)) {
            node.hurry();
        }
    }

    @Override
    public Node of(int bucket) {
        return node;
    }

    @Override
    public Node of(String name) {
        return node;
    }

    @Override
    public List<Node> nodes() {
        return List.of(node);
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        SentinelReply newest = sentinels.newest();
        if (newest != null) {
            facts.put("address", Hosts.shown(newest.primary()));
            facts.put("sentinels", sentinels.count());
            facts.put("configuration epoch", Long.toString(newest.epoch()));
            facts.put("replicas by sentinels", Integer.toString(newest.replicas()));
        }
        return facts;
    }

    @Override
    public OptionalInt replicasBySentinels() {
        SentinelReply newest = sentinels.newest();
        return newest == null ? OptionalInt.empty() : OptionalInt.of(newest.replicas());
    }

    @Override
    public void close() {
        node.close();
        watch.close();
        sentinels.close();
        primary.close();
    }
}
