package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.servers.RedisCluster;
import java.time.Duration;
import java.util.List;

/** A Redis Cluster of three primaries, each with a replica. Its slots move, and its replicas take over. */
final class ClusterSite implements ManyServersSite {
    private final Started<RedisCluster> servers = new Started<>(RedisCluster::start);
    private final Duration grace;

    /**
     * Describes one.
     *
     * @param grace of the namespace
     */
    ClusterSite(Duration grace) {
        this.grace = grace;
    }

    @Override
    public String uri() {
        return servers.get().uri();
    }

    @Override
    public Duration grace() {
        return grace;
    }

    @Override
    public String words() {
        RedisCluster all = servers.get();
        return "Redis " + all.members().get(0).info("server").get("redis_version") + ", a cluster of "
                + all.members().size() + " nodes, no persistence, grace " + grace.toMillis() + " ms";
    }

    @Override
    public List<Fault> faults() {
        return new ClusterFaults(servers, grace).all();
    }

    @Override
    public void close() {
        servers.close();
    }
}
