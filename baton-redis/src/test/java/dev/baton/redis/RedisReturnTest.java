package dev.baton.redis;

import static dev.baton.redis.Clients.PATIENCE;
import static dev.baton.redis.Clients.queued;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.Mode;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers that come back: restarted, or in another role behind one address, near and far away. Without a grace period, so
 * that the first lock shows when a client is back.
 */
@Tag("serial")
@Timeout(120)
class RedisReturnTest {
    /** How soon every client works again. */
    private static final Duration SOON = Duration.ofSeconds(2);

    /** Enough pairs for a client to have released locks that a server may have forgotten. */
    private static final int PAIRS = 300;

    private static final int HOPS = 3;

    private final Clients clients = new Clients();
    private final List<RedisServer> servers = new ArrayList<>();
    private TcpProxy proxy;
    private Duration delay = Duration.ZERO;

    private RedisServer start(RedisServer.Builder builder) {
        RedisServer server = builder.start();
        servers.add(server);
        return server;
    }

    @AfterEach
    void stop() {
        proxy.delay(Duration.ZERO);
        proxy.forward();
        clients.close();
        proxy.close();
        servers.forEach(RedisServer::close);
    }

    /** One client holds, two wait, the fourth has nothing; each has released many locks. */
    private final class World {
        private final List<Baton> four = new ArrayList<>();
        private final Lease kept;
        private final CompletableFuture<Lease> first;
        private final CompletableFuture<Lease> second;

        World() throws Exception {
            BatonOptions options = BatonOptions.builder()
                    .namespace(StoreFixture.NAMESPACE)
                    .storeTimeout(Duration.ofSeconds(5))
                    .build();
            for (int i = 0; i < 4; i++) {
                Baton client = clients.connect("redis://" + proxy.host() + ':' + proxy.port() + "?grace=off", options);
                four.add(client);
                for (int k = 0; k < PAIRS; k++) {
                    client.lock("released " + i + ' ' + k).acquire().release();
                }
            }
            kept = four.get(0).lock("kept").acquire();
            first = four.get(1).lock("kept").acquireAsync();
            until("the first queues", () -> queued(four.get(0), "kept") == 1);
            second = four.get(2).lock("kept").acquireAsync();
            until("the second queues", () -> queued(four.get(0), "kept") == 2);
        }

        /** Each client keeps asking; measures how long after the server's return it gets a lock. */
        void worksSoonAfter(String round, Mishap mishap) throws Exception {
            AtomicLong returned = new AtomicLong();
            List<Work<Duration>> works = new ArrayList<>();
            for (int i = 0; i < four.size(); i++) {
                DistributedLock lock = four.get(i).lock(round + " by " + i);
                works.add(Mode.SYNC.start(() -> timeUntilItWorks(lock, returned)));
            }
            try (JvmHiccups hiccups = new JvmHiccups()) {
                mishap.happen();
                returned.set(System.nanoTime());
                for (Work<Duration> work : works) {
                    Duration time = work.get();
                    System.out.println(round + ": works after " + time);
                    assertThat(time).isLessThan(hiccups.fair(SOON, HOPS));
                }
            }
        }

        /** An answer that comes later than a round trip after the return is from the present server. */
        private Duration timeUntilItWorks(DistributedLock lock, AtomicLong returned) throws Exception {
            while (true) {
                try {
                    Lease lease = lock.tryAcquire(Duration.ofMillis(1_500)).orElseThrow();
                    long back = returned.get();
                    Duration time = since(back);
                    lease.close();
                    if (back != 0 && time.compareTo(delay.multipliedBy(2)) > 0) {
                        return time;
                    }
                } catch (StoreException away) {
                    long back = returned.get();
                    assertThat(back == 0 ? Duration.ZERO : since(back)).isLessThan(PATIENCE);
                }
            }
        }

        /** The server still has its state: the hold lives, and the waiters get the lock in their order, soon. */
        void lostNothing(RedisServer server) throws Exception {
            assertThat(kept.isHeld()).isTrue();
            try (JvmHiccups hiccups = new JvmHiccups()) {
                long start = System.nanoTime();
                until(
                        "all listen to the server",
                        () -> server.command("PUBSUB", "CHANNELS", "*:push:*") instanceof List<?> all
                                && all.size() == four.size());
                assertThat(since(start)).isLessThan(hiccups.fair(SOON, HOPS));
            }
            assertThat(kept.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease next = first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(second).isNotDone();
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release())
                    .isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    private void beAway(int millis) {
        delay = Duration.ofMillis(millis);
        proxy.delay(delay);
    }

    private interface Mishap {
        void happen() throws Exception;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 100})
    void restartedServer_nearAndFar_servesEveryClientSoon(int delayMillis) throws Exception {
        RedisServer server = start(RedisServer.builder().appendOnly());
        proxy = TcpProxy.to(server.host(), server.port());
        World world = new World();
        beAway(delayMillis);
        world.worksSoonAfter("restart at " + delayMillis + " ms", () -> {
            server.kill();
            // Long enough for the pauses between attempts to have grown.
            Thread.sleep(1_500);
            server.restart();
        });
        world.lostNothing(server);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 100})
    void demotedAndPromotedServers_behindOneAddress_serveEveryClientSoon(int delayMillis) throws Exception {
        RedisServer one = start(RedisServer.builder().config("repl-diskless-sync-delay", "0"));
        RedisServer two = start(RedisServer.builder().config("repl-diskless-sync-delay", "0"));
        proxy = TcpProxy.to(one.host(), one.port());
        World world = new World();
        two.command("REPLICAOF", one.host(), Integer.toString(one.port()));
        beAway(delayMillis);
        world.worksSoonAfter("to the replica at " + delayMillis + " ms", () -> swap(one, two));
        world.worksSoonAfter("and back at " + delayMillis + " ms", () -> swap(two, one));
        world.lostNothing(one);
        assertThat(two.command("CLIENT", "LIST", "TYPE", "pubsub")).isEqualTo("");
    }

    /** Swaps the roles without loss: the old primary lets its replica catch up. Connections to it stay. */
    private void swap(RedisServer old, RedisServer next) throws Exception {
        until(
                "the replica has all",
                () -> old.info("replication").getOrDefault("slave0", "").contains("state=online"));
        old.command("FAILOVER", "TO", next.host(), Integer.toString(next.port()));
        until("promoted", () -> next.info("replication").get("role").equals("master"));
        proxy.follow(next.host(), next.port());
    }
}
