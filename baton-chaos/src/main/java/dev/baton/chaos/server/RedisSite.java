package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A Redis. */
final class RedisSite implements Site {
    private final boolean durable;
    private final RedisServer server;

    /**
     * Starts one.
     *
     * @param durable whether it writes every command to the disk before it answers
     */
    RedisSite(boolean durable) {
        this.durable = durable;
        this.server = durable ? RedisServer.builder().appendOnly().start() : RedisServer.start();
    }

    @Override
    public String uri() {
        return server.uri();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public String words() {
        return "Redis " + server.info("server").get("redis_version")
                + (durable ? ", appendfsync always" : ", no persistence");
    }

    @Override
    public List<Fault> faults() {
        return List.of(
                ServerFault.pause(server::pause, server::resume),
                ServerFault.kill(durable ? Damage.NONE : Damage.FORGETS, server::kill, server::restart),
                new ServerFault("sessions-kill", Damage.NONE, (stage, random) -> killClients("normal", "pubsub")),
                new ServerFault("subscriptions-kill", Damage.NONE, (stage, random) -> killClients("pubsub")),
                new ServerFault("scripts-flush", Damage.NONE, (stage, random) -> flushScripts()),
                new ServerFault("memory-full", Damage.NONE, this::fillMemory));
    }

    private long killClients(String... types) {
        long killed = 0;
        for (String type : types) {
            killed += number(server.command("CLIENT", "KILL", "TYPE", type));
        }
        return killed;
    }

    private static long number(@Nullable Object reply) {
        return reply instanceof Long number ? number : 0;
    }

    private long flushScripts() {
        long cached = Long.parseLong(server.info("memory").getOrDefault("number_of_cached_scripts", "0"));
        server.command("SCRIPT", "FLUSH");
        return cached;
    }

    private long fillMemory(Stage stage, SplittableRandom random) throws InterruptedException {
        long before = refused();
        server.command("CONFIG", "SET", "maxmemory", "1");
        try {
            HostTime.sleep(stage.leases(0.2, 2, random));
        } finally {
            server.command("CONFIG", "SET", "maxmemory", "0");
        }
        return refused() - before;
    }

    /** Returns how many commands were refused because memory was full. */
    private long refused() {
        Map<String, String> errors = server.info("errorstats");
        String count = errors.getOrDefault("errorstat_OOM", "count=0");
        return Long.parseLong(count.substring(count.indexOf('=') + 1));
    }

    @Override
    public void close() {
        server.close();
    }
}
