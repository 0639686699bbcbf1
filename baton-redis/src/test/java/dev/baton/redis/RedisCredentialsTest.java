package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.patient;
import static dev.baton.redis.Clients.throughout;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.StoreException.Reason;
import dev.baton.servers.RedisServer;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.StoreFixture;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.DefaultRedisCredentialsProvider;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

/** Users and passwords that change while a client lives, and providers that are slow, wrong or broken. */
@Timeout(60)
class RedisCredentialsTest {
    private static final String SECRET = "s3cr3t-w0rd";

    /** By then, a hold that was not renewed is lost. */
    private static final Duration OVER = Clients.PATIENT_LEASE.plusSeconds(1);

    private final Clients clients = new Clients();
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger lost = new AtomicInteger();
    private final RedisServer server = RedisServer.builder()
            .aclUser("user one on >" + SECRET + "1 " + rights())
            .aclUser("user two on >" + SECRET + "2 " + rights())
            .start();

    /** What the provider says. */
    private volatile RedisCredentials now = credentials("one", "1");

    @AfterEach
    void stop() {
        end.countDown();
        clients.close();
        server.close();
    }

    private static String rights() {
        return RedisFixture.RIGHTS.replace("NS", StoreFixture.NAMESPACE);
    }

    private static RedisCredentials credentials(String user, String end) {
        return new DefaultRedisCredentials(user, SECRET + end);
    }

    private static BatonOptions.Builder with(Supplier<RedisCredentials> provider) {
        return patient()
                .storeTimeout(Duration.ofSeconds(5))
                .driverObject(DefaultJedisClientConfig.builder()
                        .credentialsProvider(provider)
                        .build());
    }

    private Baton connect() {
        return clients.connect(server.uri(), with(() -> now).build());
    }

    private Lease hold(Baton client, String name) throws InterruptedException {
        Lease lease = client.lock(name).acquire();
        lease.onLost(cause -> lost.incrementAndGet());
        return lease;
    }

    private void assertHeld(Lease... leases) {
        assertThat(leases).allMatch(Lease::isHeld);
        assertThat(lost).hasValue(0);
    }

    /** Returns the connections of Baton's clients: the number of each, and whether it is subscribed. */
    private Map<String, Boolean> connections(String user) {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" name=baton-") && line.contains(" user=" + user + ' '))
                .collect(Collectors.toMap(line -> line.split(" ")[0], line -> !line.contains(" sub=0 ")));
    }

    private void untilAllAreOfTheNewUser() throws Exception {
        until(
                "all connections are of the new user",
                () -> connections("one").isEmpty() && connections("two").size() == 2);
    }

    private Set<String> connections(String user, boolean subscribed) {
        return connections(user).entrySet().stream()
                .filter(each -> each.getValue() == subscribed)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void command(String line) {
        server.command(line.replace("SECRET", SECRET).split(" "));
    }

    // ---- credentials that change -----------------------------------------------------------------------------------

    @Test
    void user_thatChangesWhileLocksAreHeld_isUsedOnTheLivingConnection_andNothingIsLost() throws Exception {
        Baton client = connect();
        Baton other = connect();
        Lease first = hold(client, "first");
        Lease second = hold(client, "second");
        CompletableFuture<Lease> next = other.lock("first").acquireAsync();
        until("queued", () -> Clients.queued(client, "first") == 1);
        Set<String> commands = connections("one", false);
        Set<String> subscribed = connections("one", true);
        assertThat(commands).hasSize(2);
        assertThat(subscribed).hasSize(2);
        try (Logs logs = new Logs()) {
            now = credentials("two", "2");
            until(
                    "all connections are of the new user",
                    () -> connections("one").isEmpty()
                            && connections("two", true).size() == 2);
            assertThat(connections("two", false)).isEqualTo(commands);
            assertThat(connections("two", true)).doesNotContainAnyElementsOf(subscribed);
            command("ACL DELUSER one");
            throughout(OVER, "held", () -> first.isHeld() && second.isHeld());
            assertThat(connections("two", false)).isEqualTo(commands);
            first.release();
            next.get(20, TimeUnit.SECONDS).release();
            assertHeld(second);
            assertThat(logs.ofBaton()).isEmpty();
            assertThat(logs.all()).noneMatch(line -> line.contains(SECRET));
        }
    }

    @Test
    void password_thatChangesOnBothSides_survivesTheEndOfAllConnections() throws Exception {
        Baton client = connect();
        Lease first = hold(client, "first");
        Lease second = hold(client, "second");
        command("ACL SETUSER one >SECRET3 <SECRET1");
        throughout(Duration.ofMillis(500), "the server keeps living connections", () -> client.ping() != null);
        now = credentials("one", "3");
        // At once: the provider was asked less than a second ago, so the client has to find out by the refusal.
        command("CLIENT KILL USER one");
        until("reconnected", () -> connections("one").size() == 2);
        client.lock("third").tryAcquire().orElseThrow().release();
        throughout(Duration.ofSeconds(1), "held", () -> first.isHeld() && second.isHeld());
        assertHeld(first, second);
    }

    @Test
    void token_thatChanges_reachesBothConnections_ofReplicatedWrites() throws Exception {
        try (RedisServer replica = RedisServer.builder().replicaOf(server).start()) {
            command("ACL SETUSER one +wait");
            command("ACL SETUSER two +wait");
            Baton client = clients.connect(
                    server.uri() + "?replicated=1", with(() -> now).build());
            until(
                    "the replica follows",
                    () -> "up".equals(replica.info("replication").get("master_link_status")));
            Lease lease = hold(client, "replicated");
            Set<String> commands = connections("one", false);
            assertThat(commands).hasSize(2);
            now = credentials("two", "2");
            until(
                    "all connections are of the new user",
                    () -> connections("one").isEmpty() && connections("two").size() == 3);
            assertThat(connections("two", false)).isEqualTo(commands);
            assertHeld(lease);
            // While the replica is there: the client would wait for it when it closes.
            lease.release();
        }
    }

    @Test
    void providerOfJedis_thatIsSetAnew_isFollowed_andNeedsNoThreadBefore() throws Exception {
        DefaultRedisCredentialsProvider provider = new DefaultRedisCredentialsProvider(now);
        Baton client = clients.connect(server.uri(), with(provider).build());
        Lease lease = hold(client, "set");
        throughout(
                Duration.ofMillis(1500),
                "no thread",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().endsWith("-redis-credentials")));
        provider.setCredentials(credentials("two", "2"));
        untilAllAreOfTheNewUser();
        assertHeld(lease);
    }

    /** Jedis lets a provider overwrite its password after each use. */
    @Test
    void provider_thatOverwritesItsPassword_isCopiedBefore() throws Exception {
        class Careful implements RedisCredentialsProvider {
            private char[] password = {};

            @Override
            public void prepare() {
                password = (SECRET + "1").toCharArray();
            }

            @Override
            public RedisCredentials get() {
                return new DefaultRedisCredentials("one", password);
            }

            @Override
            public void cleanUp() {
                Arrays.fill(password, '\0');
            }
        }
        Lease lease = hold(clients.connect(server.uri(), with(new Careful()).build()), "careful");
        command("CLIENT KILL USER one");
        until("reconnected", () -> connections("one").size() == 2);
        assertHeld(lease);
    }

    // ---- providers that are slow, wrong or broken ------------------------------------------------------------------

    @Test
    void provider_thatBlocks_holdsUpNeitherRenewals_norNewConnections() throws Exception {
        AtomicInteger blocked = new AtomicInteger();
        CountDownLatch connected = new CountDownLatch(1);
        Baton client = clients.connect(
                server.uri(),
                with(() -> {
                            if (connected.getCount() == 0) {
                                blocked.incrementAndGet();
                                await(end);
                            }
                            return now;
                        })
                        .build());
        connected.countDown();
        Lease first = hold(client, "first");
        Lease second = hold(client, "second");
        until("the provider blocks", () -> blocked.get() == 1);
        throughout(OVER, "held", () -> first.isHeld() && second.isHeld());
        command("CLIENT KILL USER one");
        until("reconnected", () -> connections("one").size() == 2);
        client.lock("third").tryAcquire().orElseThrow().release();
        assertThat(blocked).hasValue(1);
        assertHeld(first, second);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void provider_thatThrows_isToldOnce_andConnectionsStay() throws Exception {
        AtomicInteger thrown = new AtomicInteger();
        Baton client = clients.connect(
                server.uri(),
                with(() -> {
                            RedisCredentials said = now;
                            if (said == null) {
                                throw new IllegalStateException(
                                        "sealed, attempt " + thrown.incrementAndGet() + " with " + SECRET + "1");
                            }
                            return said;
                        })
                        .build());
        Lease lease = hold(client, "held");
        Map<String, Boolean> before = connections("one");
        try (Logs logs = new Logs()) {
            now = null;
            until("asked again", () -> thrown.get() >= 2);
            assertThat(logs.ofBaton())
                    .singleElement()
                    .asString()
                    .contains("the provider of credentials for Redis at 127.0.0.1:" + server.port()
                            + " failed (java.lang.IllegalStateException: sealed, attempt 1 with ***):");
            assertThat(logs.all()).noneMatch(line -> line.contains(SECRET));
        }
        assertThat(connections("one")).isEqualTo(before);
        now = credentials("two", "2");
        untilAllAreOfTheNewUser();
        assertHeld(lease);
    }

    @Test
    void password_thatTheServerRefuses_isToldOnce_andConnectionsStayUntilTheNext() throws Exception {
        Lease lease = hold(connect(), "held");
        Map<String, Boolean> before = connections("one");
        try (Logs logs = new Logs()) {
            now = credentials("two", "-wrong");
            until("told", () -> !logs.ofBaton().isEmpty());
            throughout(
                    Duration.ofSeconds(2),
                    "the connections stay",
                    () -> connections("one").equals(before));
            assertThat(logs.ofBaton())
                    .singleElement()
                    .asString()
                    .contains("Redis at 127.0.0.1:" + server.port() + " refused new credentials (WRONGPASS ");
            assertThat(logs.all()).noneMatch(line -> line.contains(SECRET));
        }
        now = credentials("two", "2");
        untilAllAreOfTheNewUser();
        assertHeld(lease);
    }

    @Test
    void user_whoLacksRights_isWarnedOf_withTheRightsToGive() throws Exception {
        Lease lease = hold(connect(), "held");
        command("ACL SETUSER two -hget -zadd");
        try (Logs logs = new Logs()) {
            now = credentials("two", "2");
            until("told", () -> !logs.ofBaton().isEmpty());
            assertThat(logs.ofBaton().get(0))
                    .contains("another user now, who may not do what locks need: ")
                    .contains("give it +hget +zadd (");
        }
        command("ACL SETUSER two +hget +zadd");
        throughout(OVER, "held", lease::isHeld);
    }

    @Test
    void token_thatExpiredAtTheServer_isSaid_andAnotherConnectsAgain() throws Exception {
        Baton client = connect();
        command("ACL SETUSER one >SECRET3 <SECRET1");
        command("CLIENT KILL USER one");
        AtomicReference<StoreException> said = new AtomicReference<>();
        until("denied", () -> {
            said.set(catchThrowableOfType(
                    StoreException.class, () -> client.lock("any").tryAcquire()));
            return said.get().reason() == Reason.DENIED;
        });
        StoreException refused = said.get();
        assertThat(refused).hasMessageContaining("user or password are wrong");
        assertThat(Logs.trace(refused)).doesNotContain(SECRET);
        now = credentials("one", "3");
        until(
                "locks work again",
                () -> catchThrowable(() ->
                                client.lock("any").tryAcquire().orElseThrow().release())
                        == null);
    }

    // ---- at connect ------------------------------------------------------------------------------------------------

    @Test
    void provider_thatThrowsAtConnect_isTheReason() {
        Throwable refused = catchThrowable(() -> clients.connect(
                server.uri(),
                with(() -> {
                            throw new IllegalStateException("sealed");
                        })
                        .build()));
        assertThat(refused)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there are no user and password for Redis at 127.0.0.1:" + server.port())
                .hasMessageContaining("failed (java.lang.IllegalStateException: sealed)");
        assertThat(catchThrowable(
                        () -> clients.connect(server.uri(), with(() -> null).build())))
                .hasMessageContaining("it returned null");
    }

    @Test
    void provider_thatBlocksAtConnect_isTheReason_inTime() throws Exception {
        BatonOptions options = with(() -> {
                    await(end);
                    return now;
                })
                .connectTimeout(Duration.ofMillis(700))
                .build();
        long start = System.nanoTime();
        assertThat(catchThrowable(() -> clients.connect(server.uri(), options)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("does not answer");
        // Otherwise it would wait until the provider answers, which it does later.
        assertThat(Clients.since(start)).isLessThan(Duration.ofSeconds(15));
        end.countDown();
        until(
                "its thread has ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().endsWith("-redis-credentials")));
    }

    @Test
    void credentials_saidTwice_areRefused_andThoseOfTheAddressAreTakenWithAConfigurationWithoutAny() throws Exception {
        String withLogin = server.uri().replace("://", "://one:" + SECRET + "1@");
        JedisClientConfig without =
                DefaultJedisClientConfig.builder().database(1).build();
        hold(clients.connect(withLogin, options().driverObject(without).build()), "address")
                .release();
        for (BatonOptions twice : List.of(
                with(() -> now).build(),
                options()
                        .driverObject(DefaultJedisClientConfig.builder()
                                .user("two")
                                .password(SECRET + "2")
                                .build())
                        .build())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> clients.connect(withLogin, twice))
                    .withMessageContaining("said twice")
                    .withMessageNotContaining(SECRET);
        }
    }

    /** A server without AUTH repeats the command, and with it the password. */
    @Test
    void password_thatTheServerRepeats_isShownNowhere() throws Exception {
        try (SpoilingProxy proxy = SpoilingProxy.ofRequests(server.port(), "\r\nAUTH");
                Logs logs = new Logs()) {
            Throwable refused = catchThrowable(() -> clients.connect(
                    "redis://one:" + SECRET + "1@" + proxy.host(), options().build()));
            assertThat(refused).isInstanceOf(StoreException.class).hasMessageContaining("unknown command 'AUT!'");
            assertThat(Logs.trace(refused)).doesNotContain(SECRET);
            assertThat(logs.all()).noneMatch(line -> line.contains(SECRET));
        }
    }

    @Test
    void answers_thatDenyTheUser_areDenials() {
        for (String error : List.of("NOAUTH Authentication required.", "NOPERM no", "WRONGPASS no")) {
            assertThat(ServerErrors.failure(error, "the server", null).reason()).isEqualTo(StoreFailure.Reason.DENIED);
        }
    }

    // ---- the page of the store -------------------------------------------------------------------------------------

    /** Stands for a client of a service that issues tokens. */
    private record Tokens(String current) {}

    @Test
    void snippet_ofThePage_locks() throws Exception {
        command("ACL SETUSER app on >SECRET1 " + RedisFixture.RIGHTS.replace("NS", "baton"));
        Tokens tokens = new Tokens(SECRET + "1");
        String uri = server.uri();
        // tag::credentials[]
        JedisClientConfig jedis = DefaultJedisClientConfig.builder()
                .credentialsProvider(() -> new DefaultRedisCredentials("app", tokens.current()))
                .build();
        BatonOptions options = BatonOptions.builder().driverObject(jedis).build();
        try (Baton baton = Baton.connect(uri, options)) {
            baton.lock("nightly").run(lease -> System.out.println("fencing token " + lease.token()));
        }
        // end::credentials[]
    }
}
