package dev.baton.redis;

import static dev.baton.redis.Clients.MARGIN;
import static dev.baton.redis.Clients.PATIENCE;
import static dev.baton.redis.Clients.queued;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.JvmHiccups;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damage to connections and scripts by administrators and networks: the next call works, and pushes arrive again. */
@Tag("serial")
@Timeout(120)
class RedisRecoveryTest extends OnOwnRedis {
    /** Far below the second after which a ticket polls by itself. */
    private static final Duration BY_PUSH = Duration.ofMillis(300);

    private static final int HOPS = 3;

    /** Closing a client sends its last releases, and the connection may have broken just before. */
    @Test
    void callAfterABrokenOne_isServedAtOnce() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                PlainStore client = new PlainStore("redis://" + proxy.host() + ':' + proxy.port())) {
            int broken = 0;
            for (int round = 0; round < 20; round++) {
                Acquire asked = client.command("cut", 1);
                Acquire.Granted granted = (Acquire.Granted) client.acquire(asked);
                proxy.cut();
                long start = System.nanoTime();
                int failures = 0;
                boolean answered = false;
                while (!answered) {
                    try {
                        assertThat(client.release(asked, granted.token())).isTrue();
                        answered = true;
                    } catch (StoreFailure gone) {
                        failures++;
                        assertThat(failures).as("failures in a row").isLessThanOrEqualTo(1);
                    }
                }
                broken += failures;
                assertThat(since(start)).isLessThan(MARGIN);
            }
            System.out.println(broken + " calls met a broken connection, and each next one was served");
        }
    }

    @Test
    void waitingTicket_isToldHowLongItsHolderMayStay() throws Exception {
        try (PlainStore one = new PlainStore(server.uri());
                PlainStore two = new PlainStore(server.uri())) {
            Acquire held = one.command("timed", 1);
            Acquire.Granted granted = (Acquire.Granted) one.acquire(held);
            Acquire waiting = two.command("timed", 2);
            Acquire.Queued queued = (Acquire.Queued) two.acquire(waiting);
            assertThat(queued.stamp().nowMicros() + queued.remainingMicros()).isEqualTo(granted.deadlineMicros());
            Heartbeat.Waiting told = (Heartbeat.Waiting) two.poll(waiting);
            assertThat(told.position()).isZero();
            assertThat(told.remainingMicros())
                    .isPositive()
                    .isLessThan(queued.remainingMicros())
                    .isGreaterThan(queued.remainingMicros() - PATIENCE.toNanos() / 1_000);
        }
    }

    /** Nothing is pushed when a lease expires. */
    @Test
    void leaseThatRunsOut_isFollowedAtItsEnd() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                JvmHiccups hiccups = new JvmHiccups()) {
            Baton dying = connect("redis://" + proxy.host() + ':' + proxy.port());
            Baton next = connect();
            for (int lease : new int[] {400, 1_300, 2_750}) {
                String name = "ends " + lease;
                LockOptions options = LockOptions.defaults().withLeaseTime(Duration.ofMillis(lease));
                Lease lost = dying.lock(name, options).acquire();
                CompletableFuture<Lease> waiter = next.lock(name).acquireAsync();
                // A pause may outlast a short lease: then it has the lock already.
                until("queued", () -> waiter.isDone() || queued(next, name) == 1);
                proxy.blackHole();
                until("over", () -> !lost.isHeld());
                Duration late = Duration.ofNanos(-System.nanoTime());
                waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
                late = late.plusNanos(System.nanoTime());
                System.out.println("a lease of " + lease + " ms is followed after " + late);
                // Its holder stops believing before the lease ends on the server.
                assertThat(late).isLessThan(hiccups.fair(BY_PUSH, HOPS));
                proxy.forward();
            }
        }
    }

    @Test
    void flushedScripts_areSentAgain() throws Exception {
        Baton one = connect();
        Baton two = connect();
        for (int i = 0; i < 3; i++) {
            handsOver(one, two, "flushed " + i, () -> server.command("SCRIPT", "FLUSH"));
        }
    }

    @Test
    void killedSubscriptions_hearPushesAgain() throws Exception {
        Baton one = connect();
        Baton two = connect();
        for (int i = 0; i < 3; i++) {
            handsOver(one, two, "killed " + i, () -> {
                server.command("CLIENT", "KILL", "TYPE", "pubsub");
                untilAllListen(2);
            });
        }
    }

    /** A limit that a few messages exceed: the server closes the subscription that has not read them yet. */
    @Test
    void subscriptionsClosedForTheirBuffer_hearPushesAgain() throws Exception {
        server.command("CONFIG", "SET", "client-output-buffer-limit", "pubsub 2mb 1mb 1");
        Baton one = connect();
        Baton two = connect();
        Set<String> before = listeners();
        String large = "x".repeat(4_000_000);
        handsOver(one, two, "full", () -> {
            for (Object channel : (List<?>) server.command("PUBSUB", "CHANNELS")) {
                server.command("PUBLISH", channel.toString(), large);
            }
            until("closed", () -> listeners().stream().noneMatch(before::contains));
            untilAllListen(2);
        });
    }

    /** Returns the connections of subscriptions, by the server's numbers. */
    private Set<String> listeners() {
        return String.valueOf(server.command("CLIENT", "LIST", "TYPE", "pubsub"))
                .lines()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }

    private void untilAllListen(int count) throws Exception {
        until(
                "all listen",
                () -> server.command("PUBSUB", "CHANNELS", "tck:{0}:push:*") instanceof List<?> channels
                        && channels.size() == count);
    }

    private interface Mishap {
        void happen() throws Exception;
    }

    private static void handsOver(Baton one, Baton two, String name, Mishap mishap) throws Exception {
        Lease lease = one.lock(name).acquire();
        CompletableFuture<Lease> waiter = two.lock(name).acquireAsync();
        until("queued", () -> queued(one, name) == 1);
        mishap.happen();
        try (JvmHiccups hiccups = new JvmHiccups()) {
            long start = System.nanoTime();
            lease.close();
            waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
            assertThat(since(start)).isLessThan(hiccups.fair(BY_PUSH, HOPS));
        }
    }
}
