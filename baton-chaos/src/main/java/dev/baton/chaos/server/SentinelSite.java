package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.servers.RedisSentinels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A Redis with two replicas behind three sentinels, which clients know. */
final class SentinelSite implements ManyServersSite {
    private final Started<RedisSentinels> servers;
    private final Duration grace;
    private final String options;

    /**
     * Describes one.
     *
     * @param grace of the namespace
     * @param options of the clients' address
     * @param settings lines of {@code redis.conf}
     */
    SentinelSite(Duration grace, String options, Map<String, String> settings) {
        this.grace = grace;
        this.options = options;
        this.servers = new Started<>(() -> {
            RedisSentinels.Builder builder = RedisSentinels.builder();
            settings.forEach(builder::config);
            return builder.start();
        });
    }

    @Override
    public String uri() {
        return servers.get().uri() + options;
    }

    @Override
    public Duration grace() {
        return grace;
    }

    @Override
    public String words() {
        RedisSentinels all = servers.get();
        return "Redis " + all.primary().info("server").get("redis_version") + ", "
                + (all.members().size() - 1) + " replicas, "
                + all.sentinels().size() + " sentinels, no persistence, grace " + grace.toMillis() + " ms, " + options;
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(RedisFaults.of(() -> servers.get().primary(), grace));
        faults.addAll(new SentinelFaults(servers, grace).all());
        return faults;
    }

    @Override
    public void close() {
        servers.close();
    }
}
