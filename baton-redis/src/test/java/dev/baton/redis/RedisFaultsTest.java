package dev.baton.redis;

import static dev.baton.redis.Clients.GRACE;
import static dev.baton.redis.Clients.MARGIN;
import static dev.baton.redis.Clients.PATIENCE;
import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.queued;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static dev.baton.redis.Clients.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.internal.client.BatonClient;
import dev.baton.internal.client.Connector;
import dev.baton.internal.client.SystemClock;
import dev.baton.servers.RedisServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.Timings;
import dev.baton.tck.FaultyStore;
import dev.baton.tck.FaultyStore.Call;
import dev.baton.tck.FaultyStore.Fault;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.Mode;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.Work;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A bad network before a real server, and a server that dies, forgets and falls silent. */
@Timeout(120)
class RedisFaultsTest {
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration LONG_LEASE = Duration.ofSeconds(30);

    /** From the reading thread to the caller: each may have to wait for a processor. */
    private static final int HOPS = 3;

    /** Beside the measured stalls. Far below the time after which a silent connection is given up. */
    private static final Duration A_SECOND = Duration.ofSeconds(1);

    private final Clients clients = new Clients();
    private RedisServer server;
    private TcpProxy proxy;

    private void start(RedisServer.Builder builder) {
        server = builder.start();
        proxy = TcpProxy.to(server.host(), server.port());
    }

    private void start() {
        start(RedisServer.builder());
    }

    @AfterEach
    void stop() {
        // Lets clients send their last commands.
        proxy.forward();
        clients.close();
        proxy.close();
        server.close();
    }

    private static BatonOptions longLease() {
        return options().leaseTime(LONG_LEASE).build();
    }

    /** The address for clients that trust a server which was started again. */
    private String ungraced() {
        return server.uri() + "?grace=off";
    }

    private Baton ungraced(BatonOptions options) {
        return clients.connect(ungraced(), options);
    }

    private List<Baton> connect(int count, BatonOptions options) {
        List<Baton> connected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connected.add(clients.connect(server.uri(), options));
        }
        return connected;
    }

    private void kill(String type) {
        server.command("CLIENT", "KILL", "TYPE", type);
    }

    // ---- the network ---------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P15 P9: blackHole_whileManyAsk_keepsTheirLimits_andLeavesNothing")
    void blackHole_whileManyAsk_keepsTheirLimits_andLeavesNothing() throws Exception {
        start();
        Baton client = clients.connect(proxy, options().build());
        Baton watcher = clients.connect(server);
        for (Mode mode : List.of(Mode.SYNC, Mode.ASYNC)) {
            mode.release(mode.acquire(client.lock("warm-up")));
        }
        proxy.blackHole();
        List<Work<Duration>> callers = new ArrayList<>();
        try (JvmHiccups hiccups = new JvmHiccups()) {
            for (int i = 0; i < 6; i++) {
                Mode mode = i % 2 == 0 ? Mode.SYNC : Mode.ASYNC;
                DistributedLock lock = client.lock("black hole " + i / 2);
                // Longer than it takes to give the connection up, and to fail on the next one.
                callers.add(mode.start(() -> slowest(mode, lock, Duration.ofSeconds(9))));
            }
            Duration slowest = Duration.ZERO;
            for (Work<Duration> caller : callers) {
                Duration one = caller.get();
                slowest = slowest.compareTo(one) > 0 ? slowest : one;
            }
            System.out.println("slowest: " + slowest + ", worst stall: " + hiccups.worst());
            assertThat(slowest).isLessThanOrEqualTo(hiccups.fair(Duration.ofMillis(300), HOPS));
        }
        proxy.forward();
        within(
                LEASE.plus(MARGIN),
                "no hold and no ticket",
                () -> watcher.admin().list("", 10).isEmpty());
        // A delayed command may still be granted, for a lease.
        within(LEASE.plus(GRACE).plus(MARGIN), "no key", () -> RedisFixture.keys(server, "[rq]:*") == 0);
        assertThat(client.lock("black hole 0").tryAcquire(PATIENCE)).isPresent();
    }

    private static Duration slowest(Mode mode, DistributedLock lock, Duration time) throws Exception {
        Duration slowest = Duration.ZERO;
        long begin = System.nanoTime();
        while (since(begin).compareTo(time) < 0) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> mode.tryAcquire(lock, Duration.ofMillis(200)))
                    .isInstanceOf(StoreException.class);
            Duration one = since(start);
            slowest = slowest.compareTo(one) > 0 ? slowest : one;
        }
        return slowest;
    }

    @Test
    @DisplayName("P5: pairs_whoseRepliesAreLost_countOnce")
    void pairs_whoseRepliesAreLost_countOnce() throws Exception {
        start();
        Baton client = clients.connect(proxy, longLease());
        Baton other = clients.connect(server.uri(), longLease());
        AtomicBoolean over = new AtomicBoolean();
        Work<Integer> loop = Mode.SYNC.start(() -> {
            int unknown = 0;
            while (!over.get()) {
                Lease lease = client.lock("once").tryAcquire(PATIENCE).orElseThrow();
                assertThat(other.admin().inspect("once").orElseThrow().holders())
                        .hasSize(1);
                unknown += lease.release() == ReleaseOutcome.UNKNOWN ? 1 : 0;
            }
            return unknown;
        });
        for (int i = 0; i < 40; i++) {
            proxy.discardReplies();
            Thread.sleep(2);
            proxy.cut();
            proxy.forward();
            // Until it has reconnected, and is in the middle of a command.
            Thread.sleep(100 + i % 7);
        }
        over.set(true);
        int unknown = loop.get();
        System.out.println(unknown + " releases without an answer");
        assertThat(unknown).isPositive();
        within(
                MARGIN.multipliedBy(2),
                "nobody holds",
                () -> other.admin().inspect("once").isEmpty());
    }

    @Test
    @DisplayName("P16: survivor_amongManyDead_holdsInTime")
    void survivor_amongManyDead_holdsInTime() throws Exception {
        start();
        // No pause may end the first hold, nor a ticket, before all of them queue.
        BatonOptions patient = Clients.patient().build();
        Baton first = clients.connect(proxy, patient);
        Lease lost = first.lock("grave").acquire();
        Baton survivor = clients.connectPatiently(server);
        for (int i = 0; i < 20; i++) {
            clients.connect(proxy, patient).lock("grave").acquireAsync();
        }
        until("all queue", () -> queued(survivor, "grave") == 20);
        CompletableFuture<Lease> last = survivor.lock("grave").acquireAsync();
        until("the survivor queues", () -> queued(survivor, "grave") == 21);
        proxy.blackHole();
        long start = System.nanoTime();
        // The tickets are all fresh: the first of the dead is given the lock.
        assertThat(survivor.admin().forceReleaseNow("grave")).isPresent();
        assertThat(last.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isHeld()).isTrue();
        System.out.println("the survivor holds after " + since(start));
        // Presence and claim window are half of G each.
        assertThat(since(start)).isLessThan(Clients.PATIENT_GRACE.plus(MARGIN));
        until("its holder knows", () -> !lost.isHeld());
    }

    @Test
    @DisplayName("P9: handOver_whoseClaimIsHeardButNeverAnswered_isNotKeptForALease")
    void handOver_whoseClaimIsHeardButNeverAnswered_isNotKeptForALease() throws Exception {
        start();
        FaultyStore faults = new FaultyStore();
        String clientId = Connector.newClientId();
        Timings timings = Timings.withGrace(GRACE);
        try (Baton deaf = new BatonClient(
                clientId,
                longLease(),
                timings,
                SystemClock.INSTANCE,
                faults.over(listener -> new RedisStoreProvider()
                        .open(new StoreConfig(
                                URI.create(server.uri()),
                                StoreFixture.NAMESPACE,
                                clientId,
                                timings,
                                Duration.ofSeconds(2),
                                List.of(),
                                listener))))) {
            Baton other = clients.connect(server.uri(), longLease());
            Lease first = other.lock("claimed").acquire();
            CompletableFuture<Lease> second = deaf.lock("claimed").acquireAsync();
            CompletableFuture<Lease> third = deaf.lock("claimed").acquireAsync();
            until("queued", () -> queued(other, "claimed") == 1);
            CompletableFuture<Lease> next =
                    clients.connect(server.uri(), longLease()).lock("claimed").acquireAsync();
            until("queued", () -> queued(other, "claimed") == 2);
            faults.script((call, number) -> call == Call.HEARTBEAT ? Fault.DROP_REPLY : Fault.NONE);
            first.release();
            second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
            // The third caller would learn of its grant from a heartbeat's reply; once the claim window is over, the
            // grant is gone.
            long start = System.nanoTime();
            CompletableFuture.anyOf(third, next)
                    .thenApply(Lease.class::cast)
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .release();
            System.out.println("handed on after " + since(start));
            assertThat(since(start)).isLessThan(GRACE.plus(MARGIN));
        }
    }

    // ---- connections that break ----------------------------------------------------------------------------------

    @Test
    void connections_killedAllTheTime_loseNoExclusion() throws Exception {
        start();
        Fight fight = new Fight(connect(4, longLease()), 4);
        fight.rage(25, Duration.ofMillis(100), () -> {
            kill("pubsub");
            kill("normal");
        });
        within(MARGIN.multipliedBy(2), "nothing is left", () -> RedisFixture.keys(server, "[rq]:*") == 0);
    }

    @Test
    void scripts_flushedAllTheTime_areSentAgain() throws Exception {
        start();
        List<Baton> fighters = connect(2, longLease());
        server.resetStats();
        Fight fight = new Fight(fighters, 4);
        fight.rage(60, Duration.ofMillis(20), () -> server.command("SCRIPT", "FLUSH"));
        assertThat(fight.failures()).isZero();
        assertThat(server.calls("eval")).isGreaterThan(20);
    }

    @Test
    @DisplayName("P11: subscriptions_killedAllTheTime_underManyNames_disturbNobody")
    void subscriptions_killedAllTheTime_underManyNames_disturbNobody() throws Exception {
        start();
        List<Baton> fighters = connect(4, longLease());
        List<Work<Integer>> loops = new ArrayList<>();
        try (Logs logs = new Logs()) {
            for (int i = 0; i < 16; i++) {
                Baton client = fighters.get(i % 4);
                loops.add(Mode.SYNC.start(() -> {
                    for (int k = 0; k < 1_000; k++) {
                        client.lock("name " + k % 100).acquire().release();
                    }
                    return 1_000;
                }));
            }
            int kills = 0;
            while (!loops.stream().allMatch(Work::isDone) || kills < 5) {
                kill("pubsub");
                kills++;
                Thread.sleep(200);
                assertThat(Integer.parseInt(server.info("clients").getOrDefault("connected_clients", "")))
                        .as("two for each, and who asks")
                        .isLessThanOrEqualTo(2 * fighters.size() + 1);
            }
            for (Work<Integer> loop : loops) {
                assertThat(loop.get()).isEqualTo(1_000);
            }
            System.out.println(kills + " kills");
            assertThat(logs.ofBaton()).isEmpty();
        }
        until(
                "one channel for each",
                () -> server.command("PUBSUB", "CHANNELS", "tck:{0}:push:*") instanceof List<?> channels
                        && channels.size() == fighters.size());
    }

    @Test
    @DisplayName("P10: handOver_whosePushesAreAllLost_takesAHeartbeatAndNotALease")
    void handOver_whosePushesAreAllLost_takesAHeartbeatAndNotALease() throws Exception {
        String rights = RedisFixture.RIGHTS.replace("&NS:* ", "").replace("NS", StoreFixture.NAMESPACE);
        start(RedisServer.builder().aclUser("user deaf on >secret " + rights));
        String uri = "redis://deaf:secret@" + server.host() + ':' + server.port();
        // With the default G, a ticket's heartbeat comes each second.
        BatonOptions defaults =
                BatonOptions.builder().namespace(StoreFixture.NAMESPACE).build();
        Baton holder = clients.connect(uri, defaults);
        Baton waiting = clients.connect(uri, defaults);
        for (int i = 0; i < 3; i++) {
            Lease held = holder.lock("silent").acquire();
            CompletableFuture<Lease> waiter = waiting.lock("silent").acquireAsync();
            until("queued", () -> queued(holder, "silent") == 1);
            long start = System.nanoTime();
            held.release();
            Lease next = waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            System.out.println("handed over without a push in " + since(start));
            assertThat(since(start)).isLessThan(Duration.ofSeconds(1).plus(MARGIN));
            next.release();
        }
    }

    // ---- the server ----------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P2: silentServer_forLongerThanALease_losesItAndWorksAgainAfterwards")
    void silentServer_forLongerThanALease_losesItAndWorksAgainAfterwards() throws Exception {
        start();
        // A pause of a whole lease ends it before a heartbeat goes out: then nobody knows that the store is silent.
        Baton client = clients.connectPatiently(server);
        CompletableFuture<LossCause> told = new CompletableFuture<>();
        Lease lease = client.lock("mute").acquire().onLost(told::complete);
        try (JvmHiccups hiccups = new JvmHiccups()) {
            server.pause();
            long start = System.nanoTime();
            assertThat(told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.STORE_UNREACHABLE);
            assertThat(since(start)).isLessThan(hiccups.fair(Clients.PATIENT_LEASE.plus(A_SECOND), HOPS));
        }
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(() -> client.lock("mute").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOf(StoreException.class);
        server.resume();
        Lease next = client.lock("mute").tryAcquire(PATIENCE).orElseThrow();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.EXPIRED);
        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void restart_ofAServerThatWritesEverything_withoutGrace_forgetsNothing() throws Exception {
        start(RedisServer.builder().appendOnly());
        // A slow disk makes a restart long, and belief ends after G without an answer.
        BatonOptions patient = options()
                .leaseTime(LONG_LEASE)
                .grace(BatonOptions.defaults().grace())
                .build();
        Baton owner = clients.connect(ungraced(), patient);
        AtomicReference<LossCause> lost = new AtomicReference<>();
        Lease kept = owner.lock("kept").acquire().onLost(lost::set);
        Fight fight = new Fight(List.of(ungraced(patient), ungraced(patient), ungraced(patient)), 3);
        fight.rage(4, Duration.ofMillis(300), () -> {
            server.restart();
            assertThat(clients.connect(ungraced(), patient).lock("kept").tryAcquire())
                    .isEmpty();
        });
        assertThat(lost).hasNullValue();
        assertThat(kept.isHeld()).isTrue();
        assertThat(kept.release()).isEqualTo(ReleaseOutcome.RELEASED);
        within(MARGIN.multipliedBy(2), "nothing is left", () -> RedisFixture.keys(server, "[rq]:*") == 0);
    }

    @Test
    void restart_ofAServerThatForgets_withoutGrace_tellsTheHolderAndServesTheNext() throws Exception {
        start();
        Baton client = ungraced(longLease());
        // The next hold must not end while this test looks at it.
        Baton other = ungraced(longLease());
        CompletableFuture<LossCause> told = new CompletableFuture<>();
        Lease lease = client.lock("forgotten").acquire().onLost(told::complete);
        CompletableFuture<Lease> waiter = other.lock("forgotten").acquireAsync();
        until("queued", () -> queued(client, "forgotten") == 1);
        server.restart();
        Lease next = waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isIn(LossCause.EXPIRED, LossCause.STORE_UNREACHABLE);
        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(client.lock("forgotten").tryAcquire(PATIENCE)).isPresent();
    }

    @Test
    void restart_ofAServerThatForgotReleases_isToldThemAgain() throws Exception {
        start();
        tellsReleasesAgain("");
    }

    /** If scripts may not be loaded, the new server does not know them either. */
    @Test
    void restart_ofAServerThatForgotReleasesAndScripts_isToldBoth() throws Exception {
        String rights = RedisFixture.RIGHTS.replace("+script|load ", "").replace("NS", StoreFixture.NAMESPACE);
        start(RedisServer.builder().aclUser("user plain on >secret " + rights));
        tellsReleasesAgain("plain:secret@");
    }

    private void tellsReleasesAgain(String login) throws Exception {
        // More than fit in one call, and with names of more than fit in one piece.
        int count = 300;
        String name = "released " + "x".repeat(600) + ' ';
        String uri = "redis://" + login + proxy.host() + ':' + proxy.port();
        Baton client = clients.connect(uri, longLease());
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leases.add(client.lock(name + i).acquire());
        }
        server.command("SAVE");
        leases.forEach(Lease::release);
        // It reconnects by itself, and would be there before the test has checked.
        proxy.refuse();
        server.restart();
        assertThat(RedisFixture.keys(server, "r:*")).isEqualTo(count);
        proxy.forward();
        // Its first command to the new server.
        assertThat(client.lock("another").tryAcquire(PATIENCE)).isPresent();
        assertThat(RedisFixture.keys(server, "r:*")).isEqualTo(1);
    }
}
