package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/** Asks the nodes of a cluster which of them keeps what. */
final class ClusterAsking {
    /** How long one node may take to answer: the others are asked after it. */
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final List<HostAndPort> named;
    private final Function<HostAndPort, Dialer> dialers;

    /**
     * Creates it.
     *
     * @param named the nodes that the address names
     * @param dialers makes a dialer for a node, which may be a replica
     */
    ClusterAsking(List<HostAndPort> named, Function<HostAndPort, Dialer> dialers) {
        this.named = named;
        this.dialers = dialers;
    }

    /** Returns the nodes that the address names. */
    List<HostAndPort> named() {
        return named;
    }

    /**
     * Asks the nodes that the address names, on connections of their own.
     *
     * @return their answers, at least one
     * @throws StoreFailure if no node answers: why the last one did not
     */
    List<ClusterView> askNamed() throws StoreFailure {
        List<ClusterView> views = new ArrayList<>();
        StoreFailure last = ask(named, views);
        if (views.isEmpty() && last != null) {
            throw last;
        }
        return views;
    }

    /** Asks nodes that may be gone; returns the answers that come. */
    List<ClusterView> askAny(Iterable<HostAndPort> known) {
        List<ClusterView> views = new ArrayList<>();
        StoreFailure unused = ask(known, views);
        return views;
    }

    /** Adds the answers that come; returns why the last silent node did not answer, null if all did. */
    private @Nullable StoreFailure ask(Iterable<HostAndPort> nodes, List<ClusterView> views) {
        StoreFailure last = null;
        for (HostAndPort at : nodes) {
            try {
                views.add(ask(at));
            } catch (StoreFailure failed) {
                last = failed;
            }
        }
        return last;
    }

    private ClusterView ask(HostAndPort at) throws StoreFailure {
        try (Dialer dialer = dialers.apply(at);
                Dialer.Open open = dialer.open()) {
            return ClusterView.of(RespReader.text(open.ask(Command.CLUSTER, "NODES")), at);
        }
    }

    /** Asks primaries on the connections that they have; returns the answers that come. */
    List<ClusterView> ask(List<ClusterShard> shards) {
        List<ClusterView> views = new ArrayList<>();
        for (ClusterShard shard : shards) {
            try {
                Pipeline pipeline = shard.node().commands();
                Call call = pipeline.ask(
                        (out, wire) -> out.command(2).bulk("CLUSTER").bulk("NODES"), Deadline.in(ANSWER_NANOS));
                Object text = Answer.list(call, pipeline.target()).get(0);
                views.add(ClusterView.of(RespReader.text(text), shard.primary().at()));
            } catch (StoreFailure silent) {
                // The others tell.
            }
        }
        return views;
    }
}
