package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** The Redis that sentinels name as the primary. They are asked again when a step there fails. Thread-safe. */
final class Primary implements AutoCloseable {
    /** A primary that is known since less cannot be the reason for a failure that has just been noticed. */
    private static final Duration PACE = Duration.ofMillis(50);

    private static final int TIMEOUT_MILLIS = 500;

    private final List<HostAndPort> sentinels = new ArrayList<>();
    private final String name;
    private final ReentrantLock guard = new ReentrantLock();
    private String address;
    private volatile Redis present;
    private long askedNanos;

    /**
     * Asks the sentinels.
     *
     * @param uri {@code redis+sentinel://host:port,host:port/name}
     */
    Primary(String uri) {
        URI named = URI.create(uri);
        for (String sentinel : named.getAuthority().split(",", -1)) {
            sentinels.add(HostAndPort.from(sentinel));
        }
        name = named.getPath().substring(1);
        address = newest();
        present = new Redis(address);
        askedNanos = HostTime.nanos();
    }

    /** A failover makes an epoch that is greater than all before, so the greatest one is the newest. */
    private String newest() {
        return sentinels.stream()
                .map(this::ask)
                .filter(told -> !told.isEmpty())
                .max(Comparator.comparingLong(told -> Long.parseLong(told.get("config-epoch"))))
                .map(told -> "redis://" + told.get("ip") + ':' + told.get("port"))
                .orElseThrow(() -> new JedisException("no sentinel answers"));
    }

    private Map<String, String> ask(HostAndPort sentinel) {
        DefaultJedisClientConfig config =
                DefaultJedisClientConfig.builder().timeoutMillis(TIMEOUT_MILLIS).build();
        try (Jedis link = new Jedis(sentinel, config)) {
            return link.sentinelMaster(name);
        } catch (JedisException silent) {
            return Map.of();
        }
    }

    /** Returns the server that is the primary, as far as is known. */
    Redis present() {
        return present;
    }

    String address() {
        guard.lock();
        try {
            return address;
        } finally {
            guard.unlock();
        }
    }

    /**
     * Takes a step at the primary.
     *
     * @throws JedisException if it fails: the next step may meet another server
     */
    <T> T at(Function<Redis, T> step) {
        Redis server = present;
        try {
            return step.apply(server);
        } catch (JedisException failed) {
            doubt(server);
            throw failed;
        }
    }

    private void doubt(Redis server) {
        guard.lock();
        try {
            if (server == present && HostTime.since(askedNanos).compareTo(PACE) > 0) {
                move(newest());
                askedNanos = HostTime.nanos();
            }
        } catch (JedisException silent) {
            // The next failure asks again.
        } finally {
            guard.unlock();
        }
    }

    private void move(String newest) {
        if (!newest.equals(address)) {
            Redis before = present;
            address = newest;
            present = new Redis(newest);
            before.close();
        }
    }

    @Override
    public void close() {
        present.close();
    }
}
