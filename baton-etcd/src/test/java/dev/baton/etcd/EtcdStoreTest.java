package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.internal.ordered.OrderedStore;
import dev.baton.servers.EtcdServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.history.Residue;
import io.etcd.jetcd.Client;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Effects of a server, an administrator and a network on a client of etcd. */
class EtcdStoreTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final Resource LOCK = Resource.lock("lock");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Pattern INDEX = Pattern.compile("\"raftIndex\":\"(\\d+)\"");
    private static final AtomicLong PREFIXES = new AtomicLong();

    private final String prefix = "/store-" + PREFIXES.incrementAndGet();

    private String uri(String ttl) {
        return EtcdServer.shared().uri() + prefix + "?shortLeases=true&ttl=" + ttl;
    }

    private static Keys keys(String prefix) {
        return Keys.of(prefix, EtcdTestClient.NAMESPACE);
    }

    private static Baton baton(String uri) {
        return Baton.connect(
                uri,
                BatonOptions.builder()
                        .namespace(EtcdTestClient.NAMESPACE)
                        .connectTimeout(Duration.ofSeconds(10))
                        .build());
    }

    private static void awaitWaiters(Baton baton, String name, int count) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (baton.admin().inspect(name).map(info -> info.waiters().size()).orElse(0) < count) {
            assertThat(System.nanoTime()).as("time to see %d waiters", count).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    // ---- connecting ----------------------------------------------------------------------------------------------

    /** The call that asks for a lease has the time of that lease as a limit of its own, and others have three seconds. */
    @Test
    void connect_toAServerThatIsSilentForLongerThanACall_hasTheTimeThatIsAskedFor() throws Exception {
        try (EtcdServer server = EtcdServer.start()) {
            server.pause(0);
            CompletableFuture<Baton> connecting = CompletableFuture.supplyAsync(() -> Baton.connect(
                    server.uri() + "?ttl=2s",
                    BatonOptions.builder()
                            .connectTimeout(Duration.ofSeconds(20))
                            .build()));
            TimeUnit.SECONDS.sleep(4);
            assertThat(connecting).isNotDone();
            server.resume(0);
            try (Baton baton = connecting.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                baton.lock("lock").acquire().close();
            }
        }
    }

    // ---- leases --------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P2: lease_revokedUnderAHolder_isToldToIt_andTheQueueGoesOn")
    void lease_revokedUnderAHolder_isToldToIt_andTheQueueGoesOn() throws Exception {
        try (Baton one = baton(uri("9s"));
                Baton two = baton(uri("9s"))) {
            Lease held = one.lock("lock").acquire();
            BlockingQueue<LossCause> lost = new LinkedBlockingQueue<>();
            held.onLost(lost::add);
            CompletableFuture<Lease> next = two.lock("lock").acquireAsync();
            awaitWaiters(two, "lock", 1);
            long ofHolder =
                    ByHand.shared().keys(keys(prefix).line("lock")).get(0).getLease();

            ByHand.shared().revoke(ofHolder);

            try (Lease after = next.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                assertThat(after.token()).isGreaterThan(held.token());
                assertThat(lost.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                        .isNotNull();
                assertThat(held.isHeld()).isFalse();
                assertThat(after.isHeld()).isTrue();
            }
            // With a new lease, as if nothing had happened.
            one.lock("lock").tryAcquire(PATIENCE).orElseThrow().close();
        }
    }

    @Test
    void clientKey_deletedByHand_isTakenForALostLease_andNotForAProof() throws Exception {
        try (EtcdTestClient client = new EtcdTestClient(uri("20s"), "a")) {
            Release held = client.hold(LOCK);
            assertThat(client.beat(held)).isInstanceOf(Heartbeat.Renewed.class);
            ByHand.shared().delete(keys(prefix).client("a".repeat(32)));
            assertThatThrownBy(() -> client.beat(held)).isInstanceOf(StoreFailure.class);
            assertThat(eventually(() -> client.beat(held))).isInstanceOf(Heartbeat.Lost.class);
            // Its client may have believed in it until it was told: the entry stays as long as its lease does.
            assertThat(ByHand.shared().names(keys(prefix).line("lock"))).hasSize(1);
        }
    }

    @Test
    void close_leavesNothingOfTheClient() throws Exception {
        EtcdTestClient client = new EtcdTestClient(uri("20s"), "a");
        client.hold(LOCK);
        assertThat(ByHand.shared().names(keys(prefix).root())).hasSize(3);
        client.close();
        assertThat(ByHand.shared().names(keys(prefix).root()))
                .containsExactly(keys(prefix).descriptor());
    }

    // ---- undoing -------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P6: join_thatArrivesAfterItsCancel_neverMakesAnEntry")
    void join_thatArrivesAfterItsCancel_neverMakesAnEntry() throws Exception {
        String direct = EtcdServer.shared().uri().replace("etcd://", "");
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", EtcdServer.shared().port(0));
                EtcdTestClient client = new EtcdTestClient(
                        "etcd://127.0.0.1:" + proxy.port() + "," + direct + prefix + "?ttl=9s", "a")) {
            proxy.blackHole();
            long late = acquireThatIsHeldBack(client);
            cancel(client, late);
            assertThat(ByHand.shared().names(keys(prefix).names())).isEmpty();

            // Its answer would make the client remove what it created.
            proxy.discardReplies();

            // It arrives before gRPC's time limit of 3 s, and finds another epoch.
            TimeUnit.MILLISECONDS.sleep(500);
            assertThat(ByHand.shared().names(keys(prefix).names())).isEmpty();
        }
    }

    /** Sends every other call through the proxy. */
    private static long acquireThatIsHeldBack(EtcdTestClient client) throws Exception {
        while (true) {
            long attempt = client.next();
            try {
                client.acquire(LOCK, attempt, Acquire.Mode.QUEUE, TimeUnit.MILLISECONDS.toNanos(300));
                cancel(client, attempt);
            } catch (StoreFailure heldBack) {
                return attempt;
            }
        }
    }

    private static void cancel(EtcdTestClient client, long attempt) throws Exception {
        for (int tries = 0; ; tries++) {
            try {
                client.cancel(LOCK, attempt, TimeUnit.MILLISECONDS.toNanos(200));
                return;
            } catch (StoreFailure heldBack) {
                assertThat(tries).isLessThan(20);
            }
        }
    }

    @Test
    @DisplayName("P6: waiters_cancelled_neverBecomeOwners")
    void waiters_cancelled_neverBecomeOwners() throws Exception {
        try (EtcdTestClient holder = new EtcdTestClient(uri("20s"), "a");
                EtcdTestClient waiter = new EtcdTestClient(uri("20s"), "b");
                EtcdTestClient last = new EtcdTestClient(uri("20s"), "c")) {
            Release held = holder.hold(LOCK);
            long cancelled = waiter.next();
            assertThat(waiter.acquire(LOCK, cancelled, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            long attempt = last.next();
            assertThat(last.acquire(LOCK, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
            waiter.cancel(LOCK, cancelled, EtcdTestClient.TIMEOUT_NANOS);

            holder.release(held);

            Push push = last.push(PATIENCE);
            assertThat(push).isNotNull();
            assertThat(push.attempt()).isEqualTo(attempt);
            assertThat(waiter.push(Duration.ofMillis(200))).isNull();
            assertThat(waiter.acquire(LOCK, cancelled, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Stale.class);
        }
    }

    @Test
    void ticket_removedByHand_leavesNoSeat() throws Exception {
        try (EtcdTestClient holder = new EtcdTestClient(uri("20s"), "a");
                EtcdTestClient waiter = new EtcdTestClient(uri("20s"), "b")) {
            holder.hold(LOCK);
            Set<String> tickets = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                assertThat(waiter.acquire(LOCK, waiter.next(), Acquire.Mode.QUEUE))
                        .isInstanceOf(Acquire.Queued.class);
                String ticket = ByHand.shared().names(keys(prefix).line("lock")).get(1);
                tickets.add(ticket);
                ByHand.shared().delete(ticket);
                ((OrderedStore) waiter.store()).lookAround(EtcdTestClient.TIMEOUT_NANOS);
            }
            assertThat(tickets).hasSize(1);
        }
    }

    // ---- watching ------------------------------------------------------------------------------------------------

    @Test
    void ticket_thatWaitsWhileTheServerIsCompacted_isGrantedAllTheSame() throws Exception {
        try (EtcdTestClient holder = new EtcdTestClient(uri("20s"), "a");
                EtcdTestClient waiter = new EtcdTestClient(uri("20s"), "b")) {
            Release held = holder.hold(LOCK);
            waiter.acquire(LOCK, waiter.next(), Acquire.Mode.QUEUE);
            for (int i = 0; i < 10; i++) {
                ByHand.shared().put("/other", "value " + i);
            }
            ByHand.shared().compact();
            holder.release(held);
            assertThat(waiter.push(PATIENCE)).isNotNull();
        }
    }

    // ---- cost ----------------------------------------------------------------------------------------------------

    private static long index() {
        Matcher index = INDEX.matcher(EtcdServer.shared().ask(0, "/v3/maintenance/status", "{}"));
        assertThat(index.find()).isTrue();
        return Long.parseLong(index.group(1));
    }

    @Test
    @DisplayName("P27: uncontendedPair_takesTwoProposals")
    void uncontendedPair_takesTwoProposals() throws Exception {
        try (EtcdTestClient client = new EtcdTestClient(uri("60s"), "a")) {
            client.release(client.hold(LOCK));
            assertThat(proposals(() -> {
                        Release held = client.hold(LOCK);
                        client.beat(held);
                        client.release(held);
                    }))
                    .isEqualTo(20);
        }
    }

    /** An action that asks etcd. */
    private interface Action {
        void run() throws Exception;
    }

    /** Returns how many proposals ten of these make. Leases of earlier cases that end in between make some more. */
    private static long proposals(Action action) throws Exception {
        long fewest = Long.MAX_VALUE;
        for (int batch = 0; batch < 3; batch++) {
            long before = index();
            for (int i = 0; i < 10; i++) {
                action.run();
            }
            fewest = Math.min(fewest, index() - before);
        }
        return fewest;
    }

    @Test
    void note_takesOneProposalToWrite_andNoneToRead() throws Exception {
        try (EtcdTestClient client = new EtcdTestClient(uri("60s"), "a")) {
            Release held = client.hold(LOCK);
            assertThat(proposals(() -> {
                        client.writeNote(held);
                        assertThat(client.store()
                                        .note(LOCK.name(), EtcdTestClient.TIMEOUT_NANOS)
                                        .note())
                                .isPresent();
                    }))
                    .isEqualTo(10);
        }
    }

    @Test
    @DisplayName("P32: names_usedOnce_leaveNothing")
    void names_usedOnce_leaveNothing() throws Exception {
        int names = NIGHTLY ? 100_000 : 3_000;
        try (Baton baton = baton(uri("20s"))) {
            for (int i = 0; i < names; i += 100) {
                CompletableFuture<?>[] used = new CompletableFuture<?>[100];
                for (int j = 0; j < used.length; j++) {
                    used[j] = baton.lock("name " + (i + j)).acquireAsync().thenCompose(Lease::releaseAsync);
                }
                CompletableFuture.allOf(used).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(Residue.await(
                            () -> (long)
                                    ByHand.shared().names(keys(prefix).names()).size(),
                            0,
                            PATIENCE))
                    .isZero();
            assertThat(ByHand.shared().names(keys(prefix).root())).hasSize(2);
        }
    }

    // ---- connecting ----------------------------------------------------------------------------------------------

    @Test
    void application_thatBringsItsClient_keepsIt_andItsNamespace() throws Exception {
        String endpoint = EtcdServer.shared().uri().replace("etcd://", "ip:///");
        try (Client client = Client.builder()
                .target(endpoint)
                .namespace(Keys.bytes("/application"))
                .build()) {
            BatonOptions options = BatonOptions.builder()
                    .namespace(EtcdTestClient.NAMESPACE)
                    .driverObject(client)
                    .build();
            try (Baton baton = Baton.connect("etcd:" + "///" + prefix.substring(1) + "?ttl=20s", options);
                    Lease lease = baton.lock("lock").acquire()) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(ByHand.shared().names("/application" + keys(prefix).line("lock")))
                        .hasSize(1);
            }
            assertThat(ByHand.answer(client.getKVClient().get(Keys.bytes("/x"))).getKvs())
                    .isEmpty();
        }
    }

    @Test
    void namespace_thatIsSomethingElse_isRefused() throws Exception {
        ByHand.shared().put(keys(prefix).descriptor(), "somebody else's");
        StoreFailure refused = catchThrowableOfType(StoreFailure.class, () -> new EtcdTestClient(uri("20s"), "a"));
        assertThat(refused.reason()).isEqualTo(StoreFailure.Reason.UNFIT);
        assertThat(refused).hasMessageContaining("use another namespace");
        assertThat(ByHand.shared().names(keys(prefix).root()))
                .containsExactly(keys(prefix).descriptor());
    }

    @Test
    void lease_longerThanWasAskedFor_isWarnedOf() throws Exception {
        try (EtcdServer slow = EtcdServer.start(Duration.ofSeconds(1));
                EtcdTestClient shorter = new EtcdTestClient(slow.uri() + "?ttl=1s", "a");
                EtcdTestClient shortest = new EtcdTestClient(slow.uri() + "?ttl=2s", "b")) {
            assertThat(shorter.store().warnings())
                    .contains("etcd at " + slow.uri().replace("etcd://", "")
                            + " gives leases of 2 s where ttl=1s was asked for: set ttl, or its election timeout");
            List<String> warnings = shortest.store().warnings();
            assertThat(warnings).noneMatch(each -> each.contains("gives leases"));
            // It is an old version.
            assertThat(warnings).anyMatch(each -> each.contains("3.4.42"));
        }
    }

    @Test
    @DisplayName("P15: server_thatIsSilent_isGivenUpInTime")
    void server_thatIsSilent_isGivenUpInTime() throws Exception {
        try (JvmHiccups hiccups = new JvmHiccups();
                EtcdServer server = EtcdServer.start();
                EtcdTestClient client = new EtcdTestClient(server.uri() + "?ttl=3s", "a")) {
            Release held = client.hold(LOCK);
            server.pause(0);
            long asked = System.nanoTime();
            StoreFailure silent = catchThrowableOfType(
                    StoreFailure.class,
                    () -> client.acquire(
                            Resource.lock("other"), client.next(), Acquire.Mode.TRY, TimeUnit.SECONDS.toNanos(1)));
            // gRPC's own limit is three seconds.
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(hiccups.fair(Duration.ofSeconds(2), 3));
            assertThat(silent.reason()).isEqualTo(StoreFailure.Reason.UNREACHABLE);
            assertThat(silent.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN);
            server.resume(0);
            assertThat(eventually(() -> client.beat(held))).isNotNull();
        }
    }

    private interface Asking<T> {
        T ask() throws StoreFailure;
    }

    private static <T> T eventually(Asking<T> asking) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return asking.ask();
            } catch (StoreFailure away) {
                assertThat(System.nanoTime())
                        .as("time to be well again, after %s", away)
                        .isLessThan(end);
            }
        }
    }

    @Test
    void server_thatIsNotThere_isSaidSo() {
        StoreFailure refused =
                catchThrowableOfType(StoreFailure.class, () -> new EtcdTestClient("etcd://127.0.0.1:1/x", "a"));
        assertThat(refused.reason()).isEqualTo(StoreFailure.Reason.UNREACHABLE);
        assertThat(refused.effect()).isEqualTo(StoreFailure.Effect.NONE);
        assertThat(refused).hasMessageContaining("127.0.0.1:1");
    }
}
