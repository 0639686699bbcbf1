package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.StoreException;
import dev.baton.spi.Acquire;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The requests to ZooKeeper, the nodes that stay there, and who may see them. */
class ZookeeperStoreTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final Resource LOCK = Resource.lock("lock");
    private static InnerServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new InnerServer();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static BatonOptions.Builder options() {
        return BatonOptions.builder()
                .namespace("tests")
                .leaseTime(Duration.ofSeconds(60))
                .connectTimeout(Duration.ofSeconds(10));
    }

    // ---- requests ------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P27: uncontendedPair_ofKnownName_takesThreeRequests")
    void uncontendedPair_ofKnownName_takesThreeRequests() throws Exception {
        Resource name = Resource.lock("pairs");
        try (ZookeeperClient client = new ZookeeperClient(server.uri())) {
            client.release(client.hold(name));
            // Curator sends requests of its own after connecting.
            Thread.sleep(200);
            int pairs = 50;
            long before = server.received();
            for (int i = 0; i < pairs; i++) {
                client.release(client.hold(name));
            }
            assertThat(server.received() - before).isBetween(3L * pairs, 3L * pairs + 3);
        }
    }

    /** A read goes out with its sync, and so takes one round trip; a write takes two. */
    @Test
    void note_ofAKnownBucket_takesTwoRequestsToRead_andThreeToWrite() throws Exception {
        Resource name = Resource.lock("noted");
        try (ZookeeperClient client = new ZookeeperClient(server.uri())) {
            Release held = client.hold(name);
            client.writeNote(held);
            // Curator sends requests of its own after connecting.
            Thread.sleep(200);
            int times = 50;
            long before = server.received();
            for (int i = 0; i < times; i++) {
                client.writeNote(held);
            }
            assertThat(server.received() - before).isBetween(3L * times, 3L * times + 3);
            before = server.received();
            for (int i = 0; i < times; i++) {
                assertThat(client.store()
                                .note(name.name(), ZookeeperClient.TIMEOUT_NANOS)
                                .note())
                        .isPresent();
            }
            assertThat(server.received() - before).isBetween(2L * times, 2L * times + 3);
            assertThat(client.store().forgetNote(name.name(), ZookeeperClient.TIMEOUT_NANOS))
                    .isInstanceOf(WriteNote.Written.class);
        }
    }

    /** A ticket whose thread gave up passes to another thread of its client, and is written anew with that one's name. */
    @Test
    void ticket_thatPassesToAnotherThread_isNoNewsForTheOneBehindIt() throws Exception {
        try (Baton holder = Baton.connect(server.uri(), options().build());
                Baton first = Baton.connect(server.uri(), options().build());
                Baton second = Baton.connect(server.uri(), options().build())) {
            Lease held = holder.semaphore("renamed", 2).acquire(2);
            List<Future<?>> callers = new ArrayList<>();
            ExecutorService threads = Executors.newCachedThreadPool();
            callers.add(threads.submit(
                    () -> assertThat(first.semaphore("renamed", 2).tryAcquire(Duration.ofSeconds(3)))
                            .isEmpty()));
            awaitWaiters(holder, 1);
            callers.add(
                    threads.submit(() -> first.semaphore("renamed", 2).acquire().release()));
            callers.add(threads.submit(
                    () -> second.semaphore("renamed", 2).acquire().release()));
            awaitWaiters(holder, 2);
            callers.get(0).get(20, TimeUnit.SECONDS);
            // The new name is told half a second later, with the next heartbeat.
            TimeUnit.SECONDS.sleep(3);
            long before = server.requests();
            TimeUnit.SECONDS.sleep(2);
            assertThat(server.requests() - before)
                    .as("requests of three clients in 2 s")
                    .isLessThan(40);
            held.release();
            for (Future<?> caller : callers) {
                caller.get(20, TimeUnit.SECONDS);
            }
            threads.shutdown();
        }
    }

    private static void awaitWaiters(Baton client, int number) throws InterruptedException {
        while (client.semaphore("renamed", 2).inspect().orElseThrow().waiters().size() < number) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void watches_ofThoseWhoGaveUp_areForgotten() throws Exception {
        Resource name = Resource.lock("give up");
        try (ZookeeperClient holder = new ZookeeperClient(server.uri());
                ZookeeperClient other = new ZookeeperClient(server.uri())) {
            int before = server.watches();
            Release held = holder.hold(name);
            for (int i = 0; i < 100; i++) {
                assertThat(other.acquire(name, other.next(), Acquire.Mode.TRY)).isInstanceOf(Acquire.Held.class);
            }
            assertThat(server.watches()).as("a try waits for nothing").isEqualTo(before);
            for (int i = 0; i < 100; i++) {
                other.cancel(name, other.queue(name));
            }
            assertThat(server.watches()).isLessThanOrEqualTo(before + 1);
            holder.release(held);
            ZookeeperClient.until("nothing is watched", () -> server.watches() <= before);
        }
    }

    // ---- remaining nodes -----------------------------------------------------------------------------------------

    @Test
    void tokens_afterTheContainerWent_goOnGrowing() throws Exception {
        Resource name = Resource.lock("comes and goes");
        try (ZookeeperClient client = new ZookeeperClient(server.uri())) {
            long token = 0;
            for (int i = 0; i < 3; i++) {
                Release held = client.hold(name);
                assertThat(held.token()).isGreaterThan(token);
                assertThat(server.children(ZookeeperClient.parent(name)).get(0)).endsWith("-0000000000");
                token = held.token();
                client.release(held);
                ZookeeperClient.until("the container is gone", () -> !server.has(ZookeeperClient.parent(name)));
            }
        }
    }

    @Test
    @DisplayName("P29: names_usedOnce_leaveNothing")
    void names_usedOnce_leaveNothing() throws Exception {
        int names = NIGHTLY ? 100_000 : 5_000;
        int threads = 16;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Baton baton =
                Baton.connect(server.uri(), options().namespace("once").build())) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                running.add(pool.submit(() -> {
                    for (int i = thread; i < names; i += threads) {
                        baton.lock("name/" + i).acquire().release();
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(10, TimeUnit.MINUTES);
            }
            ZookeeperClient.until("nothing is left", () -> server.below("/once") == 0);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void tidying_neverBreaksANewcomer() throws Exception {
        Resource name = Resource.lock("tidied");
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try (ZookeeperClient one = new ZookeeperClient(server.uri());
                ZookeeperClient two = new ZookeeperClient(server.uri())) {
            Future<Integer> tidied = pool.submit(() -> ZookeeperServers.byHand(server.servers(), handle -> {
                int times = 0;
                while (!over.get()) {
                    try {
                        handle.delete(ZookeeperClient.parent(name), -1);
                        times++;
                    } catch (KeeperException inUse) {
                        // The expected way to be spared.
                    }
                }
                return times;
            }));
            Future<?> other = pool.submit(() -> {
                hammer(two, name);
                return null;
            });
            hammer(one, name);
            other.get(1, TimeUnit.MINUTES);
            over.set(true);
            assertThat(tidied.get(1, TimeUnit.MINUTES)).isGreaterThan(10);
        } finally {
            over.set(true);
            pool.shutdownNow();
        }
    }

    private static void hammer(ZookeeperClient client, Resource name) throws Exception {
        for (int i = 0; i < 300; i++) {
            long attempt = client.next();
            Acquire.Reply reply = client.acquire(name, attempt, Acquire.Mode.TRY);
            if (reply instanceof Acquire.Granted granted) {
                assertThat(client.release(client.releaseOf(name, attempt, granted.token())))
                        .isTrue();
            } else {
                assertThat(reply).isInstanceOf(Acquire.Held.class);
            }
        }
    }

    // ---- numbers -------------------------------------------------------------------------------------------------

    @Test
    void numbers_thatAreUsedUp_startOver() throws Exception {
        Resource name = Resource.lock("used up");
        try (ZookeeperClient one = new ZookeeperClient(server.uri());
                ZookeeperClient two = new ZookeeperClient(server.uri())) {
            one.release(one.hold(name));
            for (int number : new int[] {Integer.MAX_VALUE - 2, Integer.MAX_VALUE, Integer.MIN_VALUE, -5}) {
                server.number(ZookeeperClient.parent(name), number);
                for (int i = 0; i < 6; i++) {
                    ZookeeperClient holder = i % 2 == 0 ? one : two;
                    ZookeeperClient other = i % 2 == 0 ? two : one;
                    Release held = holder.hold(name);
                    assertThat(other.acquire(name, other.next(), Acquire.Mode.TRY))
                            .isInstanceOf(Acquire.Held.class);
                    assertThat(holder.release(held)).isTrue();
                }
            }
        }
    }

    @Test
    void line_whoseNumbersAreUsedUp_isServedInOrder_beforeItStartsOver() throws Exception {
        Resource name = Resource.lock("used up in line");
        List<ZookeeperClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                clients.add(new ZookeeperClient(server.uri()));
            }
            ZookeeperClient late = clients.get(4);
            late.release(late.hold(name));
            server.number(ZookeeperClient.parent(name), NodeNames.LAST - 3);
            Release held = clients.get(0).hold(name);
            for (int i = 1; i < 4; i++) {
                assertThat(((Acquire.Queued) clients.get(i).acquire(name, i, Acquire.Mode.QUEUE)).position())
                        .isEqualTo(i - 1);
            }
            StoreFailure full = catchThrowableOfType(StoreFailure.class, () -> late.queue(name));
            assertThat(full.effect()).isEqualTo(StoreFailure.Effect.NONE);
            assertThat(full).hasMessageContaining("used up");
            assertThat(server.children(ZookeeperClient.parent(name))).hasSize(4);
            for (int i = 1; i < 4; i++) {
                clients.get(i - 1).release(held);
                long token = clients.get(i).awaitPush().token();
                assertThat(token).isGreaterThan(held.token());
                held = clients.get(i).releaseOf(name, i, token);
            }
            clients.get(3).release(held);
            assertThat(late.hold(name).token()).isGreaterThan(held.token());
            assertThat(server.children(ZookeeperClient.parent(name)).get(0)).endsWith("-0000000000");
        } finally {
            clients.forEach(ZookeeperClient::close);
        }
    }

    // ---- leases --------------------------------------------------------------------------------------------------

    @Test
    void explicitLease_endsAtItsTime_byItsOwnClient() throws Exception {
        Resource name = Resource.lock("leased");
        try (ZookeeperClient one = new ZookeeperClient(server.uri());
                ZookeeperClient two = new ZookeeperClient(server.uri())) {
            long start = System.nanoTime();
            // Long enough for the other to queue, also on a busy machine.
            one.hold(name, 2_000_000, 0);
            two.queue(name);
            two.awaitPush();
            // A client's own time limits are 20 s and more.
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(12));
        }
    }

    @Test
    void leaseBelowTheSession_isRefusedWithoutShortLeases() throws Exception {
        String uri = "zookeeper://" + server.servers() + "?sessionTimeout=10s";
        try (Baton baton = Baton.connect(uri, options().build())) {
            LockOptions shortly = LockOptions.defaults().withLeaseTime(Duration.ofSeconds(9));
            assertThatThrownBy(() -> baton.lock("x", shortly))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("10");
        }
        try (Baton baton = Baton.connect(uri + "&shortLeases=true", options().build());
                Lease lease = baton.lock("x", LockOptions.defaults().withLeaseTime(Duration.ofMillis(100)))
                        .acquire()) {
            assertThat(lease.name()).isEqualTo("x");
        }
    }

    @Test
    void session_ofAnotherTimeThanWasAskedFor_isWarnedOf() throws Exception {
        String longer = server.uri().replace("=60s", "=90s");
        try (ZookeeperClient client = new ZookeeperClient(longer)) {
            assertThat(client.store().warnings())
                    .containsExactly("ZooKeeper at " + server.servers() + " gives sessions of 60000 ms where"
                            + " sessionTimeout=90000ms was asked for: set minSessionTimeout and maxSessionTimeout there,"
                            + " or sessionTimeout here");
        }
        try (ZookeeperClient client = new ZookeeperClient(server.uri())) {
            assertThat(client.store().warnings()).isEmpty();
        }
    }

    // ---- users ---------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P22: nodes_ofAUser_areRefusedToOthers_withoutSecrets")
    void nodes_ofAUser_areRefusedToOthers_withoutSecrets() throws Exception {
        String theirs = "zookeeper://they:geheim@" + server.servers();
        try (Baton baton = Baton.connect(theirs, options().namespace("private").build());
                Lease lease = baton.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            String name = new Buckets("/private").parent("x");
            String note = new Buckets("/above/tests").note("x");
            try (ZookeeperClient client = new ZookeeperClient(theirs + "/above?shortLeases=true")) {
                client.writeNote(client.hold(Resource.lock("x")));
            }
            for (String path : List.of(
                    "/private",
                    Buckets.of(name),
                    name,
                    Buckets.of(note),
                    note,
                    name + '/' + server.children(name).get(0))) {
                List<ACL> acl = ZookeeperServers.byHand(server.servers(), handle -> {
                    handle.addAuthInfo("digest", "they:geheim".getBytes(StandardCharsets.UTF_8));
                    return handle.getACL(path, null);
                });
                assertThat(acl).singleElement().satisfies(each -> {
                    assertThat(each.getId().getScheme()).isEqualTo("digest");
                    assertThat(each.getId().getId()).startsWith("they:");
                });
            }
            StoreException refusal = catchThrowableOfType(
                    StoreException.class,
                    () -> Baton.connect(
                            theirs.replace("geheim", "falsch"),
                            options().namespace("private").build()));
            assertThat(refusal.reason()).isEqualTo(StoreException.Reason.DENIED);
            assertThat(refusal).hasMessageNotContaining("falsch").hasMessageContaining("user");
        }
    }

    @Test
    void aclProvider_isAskedForEveryNode() throws Exception {
        Set<String> asked = ConcurrentHashMap.newKeySet();
        ACLProvider provider = new ACLProvider() {
            @Override
            public List<ACL> getDefaultAcl() {
                return ZooDefs.Ids.OPEN_ACL_UNSAFE;
            }

            @Override
            public List<ACL> getAclForPath(String path) {
                asked.add(path.replaceAll("[td]-.*", "*"));
                return ZooDefs.Ids.OPEN_ACL_UNSAFE;
            }
        };
        String uri = "zookeeper://" + server.servers() + "/above/base";
        try (Baton baton = Baton.connect(uri, options().driverObject(provider).build());
                Lease lease = baton.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            String name = new Buckets("/above/base/tests").parent("x");
            assertThat(asked)
                    .containsExactlyInAnyOrder(
                            "/above", "/above/base", "/above/base/tests", Buckets.of(name), name, name + "/*");
        }
        try (ZookeeperClient client = new ZookeeperClient(uri + "?shortLeases=true", provider)) {
            client.writeNote(client.hold(LOCK));
            String note = new Buckets("/above/base/tests").note(LOCK.name());
            assertThat(asked).contains(Buckets.of(note), note);
        }
    }

    @Test
    void user_withoutRightsAbove_usesARootThatIsThere() throws Exception {
        try (InnerServer own = new InnerServer()) {
            try (Baton first = Baton.connect(own.uri(), options().build())) {
                first.lock("y").acquire().release();
            }
            ZookeeperServers.byHand(own.servers(), handle -> handle.setACL("/", ZooDefs.Ids.READ_ACL_UNSAFE, -1));
            try (Baton baton = Baton.connect(own.uri(), options().build());
                    Lease lease = baton.lock("y").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
            StoreException refusal = catchThrowableOfType(
                    StoreException.class,
                    () -> Baton.connect(own.uri(), options().namespace("other").build()));
            assertThat(refusal.reason()).isEqualTo(StoreException.Reason.DENIED);
        }
    }

    @Test
    void refusedEntry_isToldWhy_andLeavesNothing() throws Exception {
        try (InnerServer own = new InnerServer();
                ZookeeperClient client = new ZookeeperClient(own.uri())) {
            ZookeeperServers.byHand(
                    own.servers(), handle -> handle.setACL(ZookeeperClient.ROOT, ZooDefs.Ids.READ_ACL_UNSAFE, -1));
            StoreFailure refusal = catchThrowableOfType(StoreFailure.class, () -> client.hold(LOCK));
            assertThat(refusal.reason()).isEqualTo(StoreFailure.Reason.DENIED);
            assertThat(refusal.effect()).isEqualTo(StoreFailure.Effect.NONE);
            assertThat(own.below(ZookeeperClient.ROOT)).isZero();
        }
    }

    @Test
    void ticketWhoseLineMayNotBeRead_isToBeUndone() throws Exception {
        try (InnerServer own = new InnerServer();
                ZookeeperClient client = new ZookeeperClient(own.uri())) {
            ZookeeperServers.byHand(own.servers(), handle -> {
                List<ACL> createOnly = Arrays.asList(
                        new ACL(ZooDefs.Perms.CREATE | ZooDefs.Perms.DELETE, ZooDefs.Ids.ANYONE_ID_UNSAFE));
                String name = ZookeeperClient.parent(LOCK);
                handle.create(Buckets.of(name), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                return handle.create(name, new byte[0], createOnly, CreateMode.PERSISTENT);
            });
            StoreFailure refusal = catchThrowableOfType(StoreFailure.class, () -> client.hold(LOCK));
            assertThat(refusal.reason()).isEqualTo(StoreFailure.Reason.DENIED);
            assertThat(refusal.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN);
        }
    }

    // ---- the application's connection ----------------------------------------------------------------------------

    @Test
    void connectionOfTheApplication_isUsedAndLeftOpen_andNothingStays() throws Exception {
        try (CuratorFramework curator = CuratorFrameworkFactory.builder()
                .connectString(server.servers())
                .namespace("app")
                .sessionTimeoutMs(60_000)
                .retryPolicy(new RetryOneTime(100))
                .build()) {
            curator.start();
            curator.blockUntilConnected();
            BatonOptions options = options().driverObject(curator).build();
            Baton baton = Baton.connect("zookeeper:/locks", options);
            Lease lease = baton.lock("x").acquire();
            assertThat(lease.isHeld()).isTrue();
            String name = new Buckets("/app/locks/tests").parent("x");
            assertThat(server.children(name)).hasSize(1);
            baton.close();
            ZookeeperClient.until(
                    "its entries are gone", () -> server.children(name).isEmpty());
            assertThat(curator.getState()).isEqualTo(CuratorFrameworkState.STARTED);
            assertThat(curator.checkExists().forPath("/locks/tests")).isNotNull();
            assertThatThrownBy(() -> Baton.connect("zookeeper://" + server.servers(), options))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("neither server nor user");
        }
    }
}
