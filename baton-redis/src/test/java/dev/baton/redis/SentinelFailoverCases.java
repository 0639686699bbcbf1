package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisSentinels;
import dev.baton.servers.RedisServer;
import dev.baton.tck.JvmHiccups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Failovers by real sentinels, under load: how soon clients work again, and what they do to the servers. */
@Tag("serial")
abstract class SentinelFailoverCases {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final Duration SOON = Duration.ofSeconds(1);

    /** Far below the time after which a silent connection is given up. */
    private static final Duration LATEST = SOON.plusSeconds(1);

    private static final int HOPS = 3;
    private static final int IDLE = 8;
    private static final int CONNECTIONS = 2;
    private static final int MOST_PER_SECOND = 4;
    /** Sentinels and the other replica connect to a new primary, too. */
    private static final int OF_OTHERS = 10;

    private final Clients clients = new Clients();
    private RedisSentinels set;

    /** Starts the servers. */
    abstract RedisSentinels start();

    /** Returns the address for clients, without options. */
    abstract String uri(RedisSentinels started);

    @BeforeEach
    void startAll() {
        set = start();
    }

    @AfterEach
    void stopAll() {
        clients.close();
        set.close();
    }

    private Baton connect() {
        // Without a grace period, so that the first lock shows when a client is there.
        String address = uri(set);
        return clients.connect(
                address + (address.contains("?") ? "&" : "?") + "grace=off",
                options().storeTimeout(Duration.ofSeconds(15)).build());
    }

    @Test
    void failover_underLoad_isOverWithinASecond_andOldPrimariesAreLeft() throws Exception {
        for (int i = 0; i < IDLE; i++) {
            try (Lease used = connect().lock("idle" + i).acquire()) {
                assertThat(used.isHeld()).isTrue();
            }
        }
        RedisServer first = set.primary();
        try (Load load = new Load(connect())) {
            until("works", () -> load.count() > 10);
            first.pause();
            RedisServer second = failover(first, load, "stopped");
            first.resume();
            // The connections were ended while it stood still.
            until("left at once", () -> Clients.connections(first) == 0);
            set.rejoin(first);
            set.awaitComplete(LIMIT);

            second.kill();
            RedisServer third = failover(second, load, "killed");
            second.restart();
            // It takes itself for the primary for about 10 s.
            Clients.throughout(Duration.ofSeconds(2), "not used", () -> Clients.connections(second) == 0);
            assertThat(Clients.connections(third)).isEqualTo((IDLE + 1L) * CONNECTIONS);
        }
    }

    private RedisServer failover(RedisServer before, Load load, String how) throws Exception {
        try (JvmHiccups hiccups = new JvmHiccups()) {
            return failover(before, load, how, hiccups);
        }
    }

    /** Waits until another primary answers, and then for all clients. */
    private RedisServer failover(RedisServer before, Load load, String how, JvmHiccups hiccups) throws Exception {
        List<RedisServer> others =
                set.members().stream().filter(member -> member != before).toList();
        AtomicInteger own = new AtomicInteger();
        List<Long> received = new ArrayList<>();
        for (RedisServer other : others) {
            received.add(received(other) - 1);
        }
        List<RedisServer> found = new ArrayList<>();
        until("a replica is promoted", () -> {
            own.incrementAndGet();
            others.stream().filter(Clients::isPrimary).forEach(found::add);
            return !found.isEmpty();
        });
        RedisServer now = found.get(0);
        long start = System.nanoTime();
        until("it is named", () -> set.primary() == now);
        long named = System.nanoTime();
        int worked = load.count();
        until("works again", () -> load.count() > worked);
        Duration again = Duration.ofNanos(load.at() - named);
        until("idle clients have arrived", () -> {
            own.incrementAndGet();
            return Clients.connections(now) == (IDLE + 1L) * CONNECTIONS;
        });
        Duration all = since(named);
        until("a second has passed", () -> since(named).compareTo(SOON) > 0);
        long seconds = since(named).toSeconds();
        long connected = received(now) - 1 - received.get(others.indexOf(now)) - own.get();
        System.out.println(getClass().getSimpleName() + ", primary " + how + ": the new primary answers; named after "
                + Duration.ofNanos(named - start).toMillis() + " ms; the load works " + again.toMillis()
                + " ms later, idle clients are there " + all.toMillis() + " ms later; " + connected
                + " new connections for " + (IDLE + 1) + " clients");
        assertThat(again).isLessThan(hiccups.fair(LATEST, HOPS));
        assertThat(all).isLessThan(hiccups.fair(LATEST, HOPS));
        assertThat(connected).isLessThanOrEqualTo((IDLE + 1L) * MOST_PER_SECOND * seconds + OF_OTHERS);
        return now;
    }

    private static long received(RedisServer server) {
        return Long.parseLong(server.info("stats").get("total_connections_received"));
    }

    /** Takes and releases a lock again and again. */
    private static final class Load implements AutoCloseable {
        private final AtomicInteger count = new AtomicInteger();
        private final AtomicLong at = new AtomicLong();
        private final Thread thread;
        private volatile boolean ended;

        Load(Baton client) {
            thread = new Thread(() -> {
                while (!ended) {
                    work(client);
                }
            });
            thread.start();
        }

        private void work(Baton client) {
            try {
                client.lock("load").acquire().release();
                at.set(System.nanoTime());
                count.incrementAndGet();
            } catch (StoreException failover) {
                // The next try works.
            } catch (InterruptedException e) {
                ended = true;
            }
        }

        int count() {
            return count.get();
        }

        long at() {
            return at.get();
        }

        @Override
        public void close() {
            ended = true;
            thread.interrupt();
        }
    }
}
