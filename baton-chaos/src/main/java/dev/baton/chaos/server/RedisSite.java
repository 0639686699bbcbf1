package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.servers.RedisServer;
import dev.baton.servers.clock.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A Redis. */
final class RedisSite extends LocalSite<RedisServer> implements Marker {
    /** Otherwise a client that is new may be the first that a server without data meets, and take it for a new one. */
    static final String STRICT = "?grace=strict";

    private static final String MARKER = "chaos-marker";

    private final boolean durable;
    private final Duration grace;

    /**
     * Describes one.
     *
     * @param durable whether it writes every command to the disk before it answers
     * @param grace of the namespace
     */
    RedisSite(boolean durable, Duration grace) {
        super(new Started<>(() -> builder(durable).start()), STRICT, List.of());
        this.durable = durable;
        this.grace = grace;
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
    public Duration grace() {
        return grace;
    }

    @Override
    public String words() {
        return "Redis " + server().info("server").get("redis_version")
                + (durable ? ", appendfsync always" : ", no persistence");
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = super.faults();
        faults.addAll(ServerFault.ofProcess(durable ? Damage.NONE : Damage.FORGETS_THE_GONE, grace, this::server));
        if (durable) {
            faults.add(ServerFault.oldData(Damage.FORGETS_THE_GONE, this::server, this)
                    .withAftermath(grace));
        }
        faults.addAll(RedisFaults.of(this::server, grace));
        return faults;
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
