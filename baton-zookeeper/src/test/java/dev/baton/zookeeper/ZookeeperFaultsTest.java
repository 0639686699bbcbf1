package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.StoreException;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Acquire;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.history.BeliefChecker;
import dev.baton.tck.history.FencedMutexChecker;
import dev.baton.tck.history.HoldRecord;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingZooKeeperServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Effects of servers, sessions and the network on clients. */
class ZookeeperFaultsTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final Resource LOCK = Resource.lock("lock");

    private static BatonOptions.Builder options() {
        return BatonOptions.builder()
                .namespace("tests")
                .leaseTime(Duration.ofSeconds(10))
                .connectTimeout(Duration.ofSeconds(20))
                .storeTimeout(Duration.ofSeconds(5));
    }

    private static String uri(InnerServer server, String sessionTimeout) {
        return "zookeeper://" + server.servers() + "?shortLeases=true&sessionTimeout=" + sessionTimeout;
    }

    private static String uri(TcpProxy proxy, String sessionTimeout) {
        return "zookeeper://127.0.0.1:" + proxy.port() + "?shortLeases=true&sessionTimeout=" + sessionTimeout;
    }

    // ---- sessions ------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P2: sessionThatIsKilled_isTold_andTheQueueGoesOn")
    void sessionThatIsKilled_isTold_andTheQueueGoesOn() throws Exception {
        try (InnerServer server = new InnerServer();
                Baton one = Baton.connect(uri(server, "10s"), options().build())) {
            Lease held = one.lock("lock").acquire();
            CompletableFuture<LossCause> told = new CompletableFuture<>();
            held.onLost(told::complete);
            long session = server.sessions().get(0);
            try (Baton two = Baton.connect(uri(server, "10s"), options().build());
                    Baton three = Baton.connect(uri(server, "10s"), options().build())) {
                CompletableFuture<Lease> next = two.lock("lock").acquireAsync();
                ZookeeperClient.until(
                        "it waits",
                        () -> server.children(ZookeeperClient.parent(LOCK)).size() == 2);
                CompletableFuture<Lease> last = three.lock("lock").acquireAsync();
                ZookeeperClient.until(
                        "it waits",
                        () -> server.children(ZookeeperClient.parent(LOCK)).size() == 3);
                server.expire(session);
                Lease second = next.get(20, TimeUnit.SECONDS);
                assertThat(second.token()).isGreaterThan(held.token());
                told.get(20, TimeUnit.SECONDS);
                assertThat(held.isHeld()).isFalse();
                second.release();
                assertThat(last.get(20, TimeUnit.SECONDS).token()).isGreaterThan(second.token());
                last.get().release();
            }
            try (Lease again = one.lock("lock").acquire()) {
                assertThat(again.isHeld()).isTrue();
            }
        }
    }

    /** The server reports the node as deleted when the waiter is back, though a keeper has taken its place. */
    @Test
    void waiterThatWasCutOff_whileItsPredecessorLeftAKeeper_waitsForItsEnd() throws Exception {
        try (InnerServer server = new InnerServer();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                Baton one = Baton.connect(uri(server, "8s"), options().build());
                Baton two = Baton.connect(uri(proxy, "8s"), options().build())) {
            Lease held = one.lock("lock").acquire();
            CompletableFuture<Lease> next = two.lock("lock").acquireAsync();
            ZookeeperClient.until(
                    "it waits",
                    () -> server.children(ZookeeperClient.parent(LOCK)).size() == 2);
            proxy.refuse();
            proxy.cut();
            long released = System.nanoTime();
            held.releaseAndKeep(Duration.ofSeconds(4));
            proxy.forward();
            Lease late = next.get(20, TimeUnit.SECONDS);
            assertThat(Duration.ofNanos(System.nanoTime() - released))
                    .isBetween(Duration.ofMillis(3_900), Duration.ofSeconds(15));
            late.release();
        }
    }

    @Test
    @DisplayName("P1 P15: client_thatIsCutOff_stopsBelievingBeforeItsSessionEnds")
    void client_thatIsCutOff_stopsBelievingBeforeItsSessionEnds() throws Exception {
        try (JvmHiccups hiccups = new JvmHiccups();
                InnerServer server = new InnerServer();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                Baton one = Baton.connect(uri(proxy, "2s"), options().build());
                Baton two = Baton.connect(uri(server, "2s"), options().build())) {
            Lease held = one.lock("lock").acquire();
            CompletableFuture<Lease> next = two.lock("lock").acquireAsync();
            ZookeeperClient.until(
                    "it waits",
                    () -> server.children(ZookeeperClient.parent(LOCK)).size() == 2);
            CompletableFuture<Boolean> overlap = next.thenApply(lease -> held.isHeld());
            proxy.blackHole();
            assertThat(overlap.get(20, TimeUnit.SECONDS)).isFalse();
            long start = System.nanoTime();
            StoreException failure = catchThrowableOfType(
                    StoreException.class, () -> one.lock("other").tryAcquire(Duration.ofMillis(500)));
            assertThat(failure).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(hiccups.fair(Duration.ofSeconds(2), 3));
            next.get().release();
            proxy.forward();
            try (Lease again = one.lock("lock").acquire()) {
                assertThat(again.token()).isGreaterThan(held.token());
            }
        }
    }

    @Test
    @DisplayName("P9: ticketOfAnEarlierSession_isNeverTakenForOnesOwn")
    void ticketOfAnEarlierSession_isNeverTakenForOnesOwn() throws Exception {
        try (InnerServer server = new InnerServer();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                CuratorFramework curator = CuratorFrameworkFactory.builder()
                        .connectString("127.0.0.1:" + proxy.port())
                        .sessionTimeoutMs(10_000)
                        .retryPolicy(new RetryOneTime(100))
                        .build()) {
            curator.start();
            curator.blockUntilConnected();
            try (ZookeeperClient client = new ZookeeperClient("zookeeper:/?shortLeases=true", curator)) {
                Release held = client.hold(LOCK);
                String ticket = server.children(ZookeeperClient.parent(LOCK)).get(0);
                long before = curator.getZookeeperClient().getZooKeeper().getSessionId();
                // The client gives the session up, and the server does not hear of it.
                proxy.blackHole();
                Thread reset = new Thread(() -> {
                    try {
                        curator.getZookeeperClient().reset();
                    } catch (Exception away) {
                        throw new AssertionError(away);
                    }
                });
                reset.start();
                ZookeeperClient.until(
                        "it waits for an answer",
                        () -> reset.getState() == Thread.State.WAITING
                                || reset.getState() == Thread.State.TIMED_WAITING);
                Thread.sleep(100);
                proxy.cut();
                proxy.forward();
                reset.join();
                ZookeeperClient.until(
                        "another session",
                        () -> curator.getZookeeperClient().getZooKeeper().getSessionId() != before
                                && curator.getZookeeperClient().isConnected());
                ZookeeperClient.until("the store knows", () -> {
                    try {
                        client.store().inspect("other", ZookeeperClient.TIMEOUT_NANOS);
                        return true;
                    } catch (StoreFailure notYet) {
                        return false;
                    }
                });
                assertThat(server.children(ZookeeperClient.parent(LOCK))).containsExactly(ticket);
                long attempt = client.queue(LOCK);
                assertThat(server.children(ZookeeperClient.parent(LOCK)))
                        .hasSize(2)
                        .contains(ticket);
                server.expire(before);
                assertThat(client.awaitPush().attempt()).isEqualTo(attempt);
                assertThat(client.release(held)).isFalse();
            }
        }
    }

    // ---- the network ---------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P9: ticketWhoseAnswerWasLost_isFoundAndRemoved")
    void ticketWhoseAnswerWasLost_isFoundAndRemoved() throws Exception {
        try (InnerServer server = new InnerServer();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                ZookeeperClient client = new ZookeeperClient(uri(proxy, "20s"))) {
            client.release(client.hold(LOCK));
            proxy.discardReplies();
            long attempt = client.next();
            StoreFailure lost = catchThrowableOfType(
                    StoreFailure.class,
                    () -> client.acquire(LOCK, attempt, Acquire.Mode.QUEUE, ZookeeperClient.LEASE, 0, 2_000_000_000));
            assertThat(lost.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN);
            assertThat(server.children(ZookeeperClient.parent(LOCK))).hasSize(1);
            proxy.cut();
            proxy.forward();
            ZookeeperClient.until("undone", () -> {
                try {
                    client.cancel(LOCK, attempt);
                    return true;
                } catch (StoreFailure notYet) {
                    return false;
                }
            });
            assertThat(server.children(ZookeeperClient.parent(LOCK))).isEmpty();
            assertThat(client.acquire(LOCK, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Stale.class);
            client.release(client.hold(LOCK));
        }
    }

    @Test
    @DisplayName("P21: removalWithoutAnswer_isSentAgain")
    void removalWithoutAnswer_isSentAgain() throws Exception {
        try (InnerServer server = new InnerServer();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                ZookeeperClient one = new ZookeeperClient(uri(proxy, "20s"));
                ZookeeperClient two = new ZookeeperClient(uri(server, "20s"))) {
            one.hold(LOCK, 2_000_000, 0);
            two.queue(LOCK);
            proxy.blackHole();
            // The lease ends, and its removal is in transit when the connection breaks.
            Thread.sleep(2_200);
            proxy.cut();
            proxy.forward();
            assertThat(two.awaitPush().name()).isEqualTo(LOCK.name());
        }
    }

    @Test
    void closingWithASharedSession_whileTheNetworkIsAway_leavesNothing() throws Exception {
        try (InnerServer server = new InnerServer();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                CuratorFramework curator = CuratorFrameworkFactory.builder()
                        .connectString("127.0.0.1:" + proxy.port())
                        .sessionTimeoutMs(30_000)
                        .retryPolicy(new RetryOneTime(100))
                        .build()) {
            curator.start();
            curator.blockUntilConnected();
            ZookeeperClient client = new ZookeeperClient("zookeeper:/?shortLeases=true", curator);
            client.hold(LOCK);
            proxy.blackHole();
            client.close();
            Thread.sleep(100);
            assertThat(server.children(ZookeeperClient.parent(LOCK))).hasSize(1);
            proxy.cut();
            proxy.forward();
            ZookeeperClient.until(
                    "its entry is gone",
                    () -> server.children(ZookeeperClient.parent(LOCK)).isEmpty());
        }
    }

    // ---- an ensemble ---------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P6: leaderThatIsKilledUnderLoad_costsAMoment")
    void leaderThatIsKilledUnderLoad_costsAMoment() throws Exception {
        Map<String, Object> times = new HashMap<>(Map.of("minSessionTimeout", "1000", "maxSessionTimeout", "60000"));
        List<InstanceSpec> specs = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            specs.add(new InstanceSpec(null, -1, -1, -1, true, i, 500, 0, times));
        }
        try (TestingCluster cluster = new TestingCluster(specs)) {
            cluster.start();
            String uri = "zookeeper://" + cluster.getConnectString() + "?shortLeases=true&sessionTimeout=4s";
            Queue<HoldRecord> history = new ConcurrentLinkedQueue<>();
            Queue<Throwable> strange = new ConcurrentLinkedQueue<>();
            AtomicBoolean over = new AtomicBoolean();
            List<Baton> clients = new ArrayList<>();
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Future<?>> running = new ArrayList<>();
                BatonOptions options = options().build();
                for (int i = 0; i < 6; i++) {
                    Baton baton = Baton.connect(uri, options);
                    clients.add(baton);
                    String holder = "client " + i;
                    running.add(threads.submit(() -> fight(holder, baton, history, strange, over)));
                }
                int rounds = NIGHTLY ? 10 : 1;
                for (int round = 0; round < rounds; round++) {
                    goesOn(history);
                    TestingZooKeeperServer leader = cluster.getServers().stream()
                            .filter(each -> isLeader(each.getInstanceSpec().getPort()))
                            .findFirst()
                            .orElseThrow();
                    leader.kill();
                    long killed = System.nanoTime();
                    goesOn(history);
                    System.out.println("went on " + Duration.ofNanos(System.nanoTime() - killed) + " after the leader");
                    leader.restart();
                }
                over.set(true);
                for (Future<?> each : running) {
                    each.get(1, TimeUnit.MINUTES);
                }
            } finally {
                over.set(true);
                clients.forEach(Baton::close);
                threads.shutdownNow();
            }
            assertThat(strange).isEmpty();
            List<HoldRecord> holds = List.copyOf(history);
            assertThat(holds).hasSizeGreaterThan(20);
            assertThat(FencedMutexChecker.check(holds)).isEmpty();
            assertThat(BeliefChecker.check(holds)).isEmpty();
        }
    }

    private static boolean isLeader(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .contains("Mode: leader");
        } catch (IOException away) {
            return false;
        }
    }

    /** All clients have held the lock since. */
    private static void goesOn(Queue<HoldRecord> history) throws Exception {
        long since = System.nanoTime();
        ZookeeperClient.until(
                "everybody goes on",
                () -> history.stream()
                                .filter(each -> each.askedNanos() - since > 0)
                                .map(HoldRecord::holder)
                                .distinct()
                                .count()
                        == 6);
    }

    private static void fight(
            String holder, Baton baton, Queue<HoldRecord> history, Queue<Throwable> strange, AtomicBoolean over) {
        while (!over.get()) {
            long asked = System.nanoTime();
            try {
                Optional<Lease> lease = baton.lock("hot").tryAcquire(Duration.ofSeconds(2));
                if (lease.isPresent()) {
                    long got = System.nanoTime();
                    boolean held = lease.get().isHeld();
                    Thread.sleep(1);
                    long letGo = System.nanoTime();
                    held &= lease.get().isHeld();
                    lease.get().release();
                    if (held) {
                        history.add(new HoldRecord(holder, lease.get().token(), asked, got, letGo, System.nanoTime()));
                    }
                }
            } catch (StoreException unknown) {
                // Unknown: asked again.
            } catch (Throwable other) {
                strange.add(other);
                return;
            }
        }
    }
}
