package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import dev.baton.servers.net.FreePort;
import dev.baton.tck.StoreFixture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;

/** Addresses, users, certificates and unfit servers: which are refused, which cause warnings, and the messages. */
class RedisConnectTest extends OnAnyRedis {
    private static final String SECRET = "s3cr3t-w0rd";

    private void start(RedisServer.Builder builder) {
        server = builder.start();
    }

    private String refusal(String uri) {
        return refusal(uri, options().build());
    }

    /** Returns the message of a refused connection; it and its causes must contain no secret. */
    private String refusal(String uri, BatonOptions options) {
        Throwable refused = catchThrowable(() -> clients.connect(uri, options));
        assertThat(refused).isInstanceOfAny(StoreException.class, IllegalArgumentException.class);
        assertThat(Logs.trace(refused)).doesNotContain(SECRET);
        return String.valueOf(refused.getMessage());
    }

    private void works(String uri, BatonOptions options) throws InterruptedException {
        try (Lease lease = clients.connect(uri, options).lock("works").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    // ---- addresses -----------------------------------------------------------------------------------------------

    @Test
    void address_withEverything_isReadAndShowsNoPassword() {
        RedisAddress address =
                RedisAddress.of(URI.create("rediss://us%20er:p%40ss%2Fw+rd@[::1]:6390/3?ca=%2Fetc%2Fca%20x.pem"));
        assertThat(address.user()).isEqualTo("us er");
        assertThat(address.password()).isEqualTo("p@ss/w+rd");
        assertThat(address.host().getHost()).isEqualTo("::1");
        assertThat(address.target()).isEqualTo("[::1]:6390");
        assertThat(address.database()).isEqualTo(3);
        assertThat(address.tls()).isTrue();
        assertThat(address.certificates()).hasToString("/etc/ca x.pem");
        assertThat(address.toString()).doesNotContain("p@ss");
    }

    @Test
    void address_withAHostAlone_hasDefaults() {
        RedisAddress address = RedisAddress.of(URI.create("redis://localhost"));
        assertThat(address)
                .isEqualTo(new RedisAddress(
                        false,
                        RedisAddress.Kind.SERVER,
                        List.of(new HostAndPort("localhost", 6379)),
                        null,
                        Map.of(),
                        null,
                        null,
                        0,
                        null,
                        GraceMode.AUTO,
                        0));
        assertThat(RedisAddress.of(URI.create("redis://:word@h")).user()).isNull();
        assertThat(RedisAddress.of(URI.create("redis://:word@h")).password()).isEqualTo("word");
    }

    @Test
    void addresses_thatMakeNoSense_areRefusedWithWhatToWrite() {
        for (String[] each : new String[][] {
            {"redis:localhost", "names a host"},
            {"redis://user:" + SECRET + "@under_score/0", "no underscores"},
            {"redis://user:" + SECRET + "@h/x", "number of a database"},
            {"redis://user:" + SECRET + "@h/-1", "number of a database"},
            {"redis://user:" + SECRET + "@h?timeout=5", "only ca, grace, replicated"},
            {"redis://user:" + SECRET + "@h?ca=x.pem", "without TLS"}
        }) {
            assertThat(refusal(each[0])).as(each[0]).contains(each[1]);
        }
    }

    @Test
    void databases_ofOneServer_areApart() throws Exception {
        Lease lease = clients.connect(server.uri() + "/1", options().build())
                .lock("apart")
                .acquire();
        assertThat(clients.connect(server.uri() + "/2", options().build())
                        .lock("apart")
                        .tryAcquire())
                .isPresent();
        assertThat(clients.connect(server.uri() + "/1", options().build())
                        .lock("apart")
                        .tryAcquire())
                .isEmpty();
        lease.close();
    }

    // ---- users and rights ------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P22: port_whereNobodyListens_isSaidToBeUnreachable")
    void port_whereNobodyListens_isSaidToBeUnreachable() throws IOException {
        assertThat(refusal("redis://:" + SECRET + "@127.0.0.1:" + FreePort.next()))
                .contains("cannot connect")
                .contains("is it running");
    }

    /** A reset between two writes makes Jedis throw once more while it closes, and that must not be what the user reads. */
    @Test
    void server_thatResetsTheConnection_isSaidToBeUnreachable() throws Exception {
        ServerSocket resets = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(() -> reset(resets));
        accepting.start();
        try {
            for (int i = 0; i < 200; i++) {
                assertThat(refusal("redis://127.0.0.1:" + resets.getLocalPort()))
                        .contains("cannot connect to Redis at");
            }
        } finally {
            resets.close();
            accepting.join();
        }
    }

    private static void reset(ServerSocket resets) {
        try {
            while (true) {
                Socket accepted = resets.accept();
                accepted.setSoLinger(true, 0);
                accepted.close();
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    @Test
    void passwords_wrongOrMissing_areSaidToBe() throws Exception {
        start(RedisServer.builder().password("right"));
        String host = server.host() + ':' + server.port();
        try (Logs logs = new Logs()) {
            assertThat(refusal("redis://:" + SECRET + "@" + host)).contains("password");
            assertThat(refusal("redis://nobody:" + SECRET + "@" + host)).contains("user or password are wrong");
            assertThat(refusal("redis://" + host)).contains("password");
            works("redis://:right@" + host, options().build());
            assertThat(logs.all()).noneMatch(line -> line.contains(SECRET) || line.contains("right@"));
        }
    }

    @Test
    @DisplayName("P33: rights_asThePageListsThem_sufficeForEverything")
    void rights_asThePageListsThem_sufficeForEverything() throws Exception {
        String rights = RedisFixture.RIGHTS.replace("NS", StoreFixture.NAMESPACE);
        start(RedisServer.builder().aclUser("user least on >" + SECRET + " " + rights));
        String uri = "redis://least:" + SECRET + "@" + server.host() + ':' + server.port();
        Baton one = clients.connect(uri, options().build());
        Baton two = clients.connect(uri, options().build());
        Lease lease = one.lock("rights").acquire();
        CompletableFuture<Lease> next = two.lock("rights").acquireAsync();
        Clients.until("queued", () -> Clients.queued(one, "rights") == 1);
        lease.release();
        Lease handedOver = next.get(20, TimeUnit.SECONDS);
        assertThat(one.admin().list("", 10)).hasSize(1);
        one.admin().forceRelease("rights");
        handedOver.release();
        Clients.until("nothing is left", () -> one.admin().list("", 10).isEmpty());
        assertThat(server.command("ACL", "LOG")).isEqualTo(List.of());
    }

    @Test
    @DisplayName("P33: rights_withoutChannels_areWarnedOf_andLocksWork")
    void rights_withoutChannels_areWarnedOf_andLocksWork() throws Exception {
        String rights = RedisFixture.RIGHTS.replace("&NS:* ", "").replace("NS", StoreFixture.NAMESPACE);
        start(RedisServer.builder().aclUser("user deaf on >" + SECRET + " " + rights));
        String uri = "redis://deaf:" + SECRET + "@" + server.host() + ':' + server.port();
        try (Logs logs = new Logs()) {
            works(uri, options().build());
            assertThat(logs.ofBaton())
                    .anyMatch(line -> line.contains("&tck:*"))
                    .anyMatch(line -> line.contains("nothing pushed by Redis at 127.0.0.1:" + server.port()
                            + " can be heard, so waiting takes up to a second longer than it must: "));
        }
        assertThat(refusal(uri, options().strict(true).build())).contains("strict");
    }

    @Test
    @DisplayName("P33: rights_withoutScripts_areRefusedWithTheRightsToGive")
    void rights_withoutScripts_areRefusedWithTheRightsToGive() {
        start(RedisServer.builder().aclUser("user mute on >" + SECRET + " ~tck:* &tck:* +info +ping +select +client"));
        assertThat(refusal("redis://mute:" + SECRET + "@" + server.host() + ':' + server.port()))
                .contains("give this user the rights");
    }

    @Test
    @DisplayName("P33: rights_ofWhichOneIsMissing_areRefusedAtConnect_namingIt")
    void rights_ofWhichOneIsMissing_areRefusedAtConnect_namingIt() {
        List<String> optional =
                List.of("+script|load", "+publish", "+pubsub|numsub", "+subscribe", "+scan", "+client|setname");
        List<String> notForScripts = List.of("+info", "+eval", "+ping", "+select");
        List<String> rights = Arrays.stream(RedisFixture.RIGHTS
                        .replace("NS", StoreFixture.NAMESPACE)
                        .split(" "))
                .filter(right -> right.startsWith("+") && !optional.contains(right) && !notForScripts.contains(right))
                .toList();
        assertThat(rights).hasSizeGreaterThan(12);
        start(RedisServer.builder().aclUser("user least on >" + SECRET));
        String uri = "redis://least:" + SECRET + "@" + server.host() + ':' + server.port();
        for (String right : rights) {
            server.command(words("ACL SETUSER least reset on >" + SECRET + ' '
                    + (RedisFixture.RIGHTS + ' ')
                            .replace("NS", StoreFixture.NAMESPACE)
                            .replace(right + ' ', "")));
            assertThat(refusal(uri)).as("without " + right).contains("give it " + right + " (");
            assertThat(server.command("DBSIZE")).as("keys without " + right).isIn(0L, 1L);
            server.command("FLUSHALL");
        }
    }

    private static String[] words(String line) {
        return line.strip().split(" ");
    }

    // ---- encryption ------------------------------------------------------------------------------------------------

    @Test
    void encryption_onOneSideOnly_isSaidToBe() {
        start(RedisServer.builder().tls());
        BatonOptions quick = options().connectTimeout(Duration.ofMillis(500)).build();
        assertThat(refusal("redis://:" + SECRET + "@" + server.host() + ':' + server.port(), quick))
                .contains("TLS (rediss://) on one side only");
        assertThat(refusal(
                        "rediss://:" + SECRET + "@127.0.0.1:"
                                + RedisServer.shared().port(),
                        quick))
                .contains("TLS (rediss://) on one side only");
    }

    @Test
    void passwordInTheClear_toAnotherMachine_isWarnedOf_orRefusedIfStrict() throws Exception {
        start(RedisServer.builder().password(SECRET).appendOnly());
        String far = "192.0.2.1:6379";
        String warning = "the password for Redis at " + far + " crosses the network in the clear, where others can read"
                + " it and then take or free every lock: write rediss:// for redis://";
        try (SocksProxy proxy = SocksProxy.to(server.port());
                Logs logs = new Logs()) {
            works(
                    "redis://:" + SECRET + "@127.0.0.1:" + server.port(),
                    options().strict(true).build());
            assertThat(logs.ofBaton()).isEmpty();
            assertThat(proxy.connections()).isZero();
            works("redis://:" + SECRET + "@" + far, options().build());
            assertThat(logs.ofBaton()).singleElement().asString().contains(warning);
            assertThat(refusal(
                            "redis://:" + SECRET + "@" + far,
                            options().strict(true).build()))
                    .contains("strict")
                    .contains(warning);
            server.command("CONFIG", "SET", "requirepass", "");
            works("redis://" + far, options().strict(true).build());
            assertThat(proxy.connections()).isGreaterThan(2);
        }
    }

    @Test
    void certificate_thatNobodyTrusts_isRefused_andOneThatIsBroughtIsTaken() throws Exception {
        start(RedisServer.builder().tls());
        assertThat(refusal(server.uri())).contains("certification path");
        assertThat(refusal(server.uri() + "?ca=/nowhere.pem")).contains("cannot read the certificates");
        works(server.uri(), options().driverObject(server.sslContext()).build());
        works(server.uri() + "?ca=" + server.certificate(), options().build());
    }

    @Test
    void resources_ofTheApplication_areUsed_orRefused() throws Exception {
        start(RedisServer.builder().password(SECRET));
        works(
                server.uri(),
                options()
                        .driverObject(DefaultJedisClientConfig.builder()
                                .password(SECRET)
                                .build())
                        .build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clients.connect(
                        server.uri(), options().driverObject(List.of()).build()))
                .withMessageContaining("SSLContext")
                .withMessageContaining("JedisClientConfig");
    }

    // ---- servers that are not fit ---------------------------------------------------------------------------------

    @Test
    void replica_isRefusedNamingItsPrimary() {
        start(RedisServer.builder().config("replicaof", "127.0.0.1 1"));
        assertThat(refusal(server.uri())).contains("is a replica").contains("127.0.0.1:1");
    }

    @Test
    void clusterNode_isRefused() {
        start(RedisServer.builder().config("cluster-enabled", "yes"));
        assertThat(refusal(server.uri())).contains("is a node of a cluster: write redis+cluster://");
    }

    @Test
    void namespace_ofAnotherVersionOrOtherTimes_isRefused() throws Exception {
        start(RedisServer.builder());
        works(server.uri(), options().build());
        assertThat(refusal(server.uri(), options().grace(Duration.ofSeconds(7)).build()))
                .contains("grace=PT2S")
                .contains("PT7S");
        server.command("HSET", "tck:{0}:d", "protocol", "99");
        assertThat(refusal(server.uri())).contains("protocol version 99").contains("another namespace");
        server.command("DEL", "tck:{0}:d");
        server.command("HSET", "tck:{0}:d", "something", "else");
        assertThat(refusal(server.uri())).contains("not a descriptor");
    }

    @Test
    void namespaceWithoutAnIdentity_getsOne_andKeepsIt() throws Exception {
        start(RedisServer.builder());
        works(server.uri(), options().build());
        server.command("HDEL", "tck:{0}:d", "id");
        works(server.uri(), options().build());
        String id = namespaceId();
        assertThat(id).matches("[0-9a-f]{32}");
        works(server.uri(), options().build());
        assertThat(namespaceId()).isEqualTo(id);
    }

    @Test
    void namespaceThatTheServerForgot_getsTheIdentityThatALivingClientKnows() throws Exception {
        start(RedisServer.builder());
        Baton client = clients.connect(server.uri(), options().build());
        String id = namespaceId();
        server.command("FLUSHALL");
        server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        try (Lease lease = client.lock("works").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(namespaceId()).isEqualTo(id);
    }

    private String namespaceId() {
        return String.valueOf(server.command("HGET", "tck:{0}:d", "id"));
    }

    @Test
    @DisplayName("P38: memoryPolicyAndPersistence_thatAreUnwise_areWarnedOf_orRefusedIfStrict")
    void memoryPolicyAndPersistence_thatAreUnwise_areWarnedOf_orRefusedIfStrict() throws Exception {
        start(RedisServer.builder().config("maxmemory", "50mb").config("maxmemory-policy", "allkeys-lru"));
        try (Logs logs = new Logs()) {
            works(server.uri(), options().build());
            assertThat(logs.ofBaton())
                    .anyMatch(line -> line.contains("set maxmemory-policy noeviction"))
                    .anyMatch(line -> line.contains("set appendonly yes"));
        }
        assertThat(refusal(server.uri(), options().strict(true).build()))
                .contains("strict")
                .contains("allkeys-lru");
        server.close();
        start(RedisServer.builder().appendOnly());
        works(server.uri(), options().strict(true).build());
    }
}
