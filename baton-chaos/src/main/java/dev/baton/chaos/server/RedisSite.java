package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.RedisServer;
import dev.baton.servers.clock.SettableClock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A Redis. */
final class RedisSite extends LocalSite<RedisServer> implements Marker {
    private static final String MARKER = "chaos-marker";

    private final boolean durable;

    /**
     * Describes one.
     *
     * @param durable whether it writes every command to the disk before it answers
     */
    RedisSite(boolean durable) {
        super(new Started<>(() -> builder(durable).start()), "", List.of());
        this.durable = durable;
    }

    private static RedisServer.Builder builder(boolean durable) {
        RedisServer.Builder builder = RedisServer.builder();
        return durable ? builder.appendOnly() : builder;
    }

    @Override
    public boolean setsClock() {
        return true;
    }

    /** The program of the class path is linked without the system's C library, so that no clock reaches it. */
    @Override
    public Optional<String> follow(SettableClock clock) {
        RedisServer other;
        try {
            other = builder(durable).ofSystem().environment(clock.environment()).start();
        } catch (IllegalStateException none) {
            return Optional.of(String.valueOf(none.getMessage()));
        }
        if (clock.reads() == 0) {
            other.close();
            return Optional.of("this Redis reads the time past the C library");
        }
        use(other);
        return Optional.empty();
    }

    @Override
    public String words() {
        return "Redis " + server().info("server").get("redis_version")
                + (durable ? ", appendfsync always" : ", no persistence");
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = super.faults();
        faults.addAll(ServerFault.ofProcess(durable ? Damage.NONE : Damage.FORGETS, this::server));
        if (durable) {
            faults.add(ServerFault.oldData(this::server, this));
        }
        faults.addAll(List.of(
                ServerFault.counted("sessions-kill", Damage.NONE, (stage, random) -> killClients("normal", "pubsub")),
                ServerFault.counted("subscriptions-kill", Damage.NONE, (stage, random) -> killClients("pubsub")),
                ServerFault.counted("scripts-flush", Damage.NONE, (stage, random) -> flushScripts()),
                ServerFault.counted("items-flushed", Damage.FORGETS, (stage, random) -> flushItems()),
                ServerFault.counted("memory-full", Damage.NONE, this::fillMemory)));
        return faults;
    }

    private long killClients(String... types) {
        long killed = 0;
        for (String type : types) {
            killed += number(server().command("CLIENT", "KILL", "TYPE", type));
        }
        return killed;
    }

    private static long number(@Nullable Object reply) {
        return reply instanceof Long number ? number : 0;
    }

    private long flushScripts() {
        long cached = Long.parseLong(server().info("memory").getOrDefault("number_of_cached_scripts", "0"));
        server().command("SCRIPT", "FLUSH");
        return cached;
    }

    private long flushItems() {
        long items = number(server().command("DBSIZE"));
        server().command("FLUSHALL");
        return items;
    }

    private long fillMemory(Stage stage, SplittableRandom random) throws InterruptedException {
        long before = refused();
        server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            HostTime.sleep(stage.leases(0.2, 2, random));
        } finally {
            server().command("CONFIG", "SET", "maxmemory", "0");
        }
        return refused() - before;
    }

    /** Returns how many commands were refused because memory was full. */
    private long refused() {
        Map<String, String> errors = server().info("errorstats");
        String count = errors.getOrDefault("errorstat_OOM", "count=0");
        return Long.parseLong(count.substring(count.indexOf('=') + 1));
    }

    @Override
    public void set(long number) {
        server().command("SET", MARKER, Long.toString(number));
    }

    @Override
    public boolean isSet(long number) {
        return Long.toString(number).equals(server().command("GET", MARKER));
    }
}
