package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a Redis can be told to do to its clients and its data, alone or with replicas. */
final class RedisFaults {
    private RedisFaults() {}

    /**
     * Returns the faults.
     *
     * @param server the server that clients use now
     * @param grace how long the server grants nothing after it forgot: nothing is broken then
     */
    static List<Fault> of(Supplier<RedisServer> server, Duration grace) {
        return List.of(
                ServerFault.counted(
                        "sessions-kill", Damage.NONE, (stage, random) -> killClients(server.get(), "normal", "pubsub")),
                ServerFault.counted(
                        "subscriptions-kill", Damage.NONE, (stage, random) -> killClients(server.get(), "pubsub")),
                ServerFault.counted("scripts-flush", Damage.NONE, (stage, random) -> flushScripts(server.get())),
                ServerFault.counted(
                                "items-flushed", Damage.FORGETS_THE_GONE, (stage, random) -> flushItems(server.get()))
                        .withAftermath(grace),
                ServerFault.counted(
                        "memory-full", Damage.NONE, (stage, random) -> fillMemory(server.get(), stage, random)));
    }

    /** Returns what a change of primaries is called in a report. */
    static String words(RedisServer former, RedisServer now) {
        return former.port() + " to " + now.port();
    }

    static long killClients(RedisServer server, String... types) {
        long killed = 0;
        for (String type : types) {
            killed += number(server.command("CLIENT", "KILL", "TYPE", type));
        }
        return killed;
    }

    /** Returns a number that Redis has answered; 0 if the answer is none. */
    static long number(@Nullable Object reply) {
        return reply instanceof Long number ? number : 0;
    }

    private static long flushScripts(RedisServer server) {
        long cached = Long.parseLong(server.info("memory").getOrDefault("number_of_cached_scripts", "0"));
        server.command("SCRIPT", "FLUSH");
        return cached;
    }

    private static long flushItems(RedisServer server) {
        long items = number(server.command("DBSIZE"));
        server.command("FLUSHALL");
        return items;
    }

    private static long fillMemory(RedisServer server, Stage stage, SplittableRandom random)
            throws InterruptedException {
        long before = refused(server);
        server.command("CONFIG", "SET", "maxmemory", "1");
        try {
            HostTime.sleep(stage.leases(0.2, 2, random));
        } finally {
            server.command("CONFIG", "SET", "maxmemory", "0");
        }
        return refused(server) - before;
    }

    /** Returns how many commands were refused because memory was full. */
    private static long refused(RedisServer server) {
        Map<String, String> errors = server.info("errorstats");
        String count = errors.getOrDefault("errorstat_OOM", "count=0");
        return Long.parseLong(count.substring(count.indexOf('=') + 1));
    }
}
