package dev.baton.redis;

import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import dev.baton.servers.net.FreePort;
import dev.baton.tck.JvmHiccups;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;

/** Sentinels that lie, disagree, are silent or gone. The servers behind them are real. */
class SentinelsTest {
    private static final String SECRET = "s3cr3t-w0rd";
    private static final int HOPS = 3;

    private final Clients clients = new Clients();
    private final List<FakeSentinel> sentinels = new ArrayList<>();
    private final List<RedisServer> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        clients.close();
        sentinels.forEach(FakeSentinel::close);
        servers.forEach(RedisServer::close);
    }

    private FakeSentinel sentinel() throws IOException {
        return sentinel("");
    }

    private FakeSentinel sentinel(String password) throws IOException {
        FakeSentinel sentinel = new FakeSentinel(password);
        sentinels.add(sentinel);
        return sentinel;
    }

    private RedisServer server() {
        RedisServer server = RedisServer.start();
        servers.add(server);
        return server;
    }

    private static String uri(FakeSentinel... all) {
        return uri(Stream.of(all).map(FakeSentinel::place));
    }

    private static String uri(Stream<String> places) {
        return "redis+sentinel://" + places.collect(Collectors.joining(",")) + '/' + FakeSentinel.NAME;
    }

    /** A namespace of its own: other tests of this JVM have other timings on the shared server. */
    private static BatonOptions.Builder options() {
        return Clients.options().namespace("sentinels");
    }

    private Baton connect(String uri) {
        return clients.connect(uri, options().build());
    }

    /** A refusal comes at once, and a pause must not make it a silence. */
    private String refusal(String uri) {
        return refusal(uri, options().connectTimeout(Clients.PATIENCE).build());
    }

    /** A primary that is named is tried until the time to connect is over; an ask of a sentinel has half of it. */
    private String lateRefusal(String uri) {
        return refusal(uri, options().build());
    }

    private String refusal(String uri, BatonOptions options) {
        Throwable refused = catchThrowable(() -> clients.connect(uri, options));
        assertThat(refused).isInstanceOf(StoreException.class);
        assertThat(Logs.trace(refused)).doesNotContain(SECRET);
        return String.valueOf(refused.getMessage());
    }

    private static void works(Baton client) throws InterruptedException {
        try (Lease lease = client.lock("works").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private static boolean isAt(Baton client, RedisServer server) {
        return client.admin().examine().facts().get("address").endsWith(":" + server.port());
    }

    // ---- connecting ----------------------------------------------------------------------------------------------

    @Test
    void newestEpoch_isTrusted_andDisagreementIsWarnedOf() throws Exception {
        FakeSentinel old = sentinel().says("127.0.0.1", FreePort.next(), 3);
        FakeSentinel fresh = sentinel().says(RedisServer.shared(), 4);
        FakeSentinel older = sentinel().says("127.0.0.1", FreePort.next(), 2);
        try (Logs logs = new Logs()) {
            Baton client = connect(uri(old, fresh, older));
            works(client);
            assertThat(logs.ofBaton())
                    .filteredOn(line -> line.contains("disagree"))
                    .singleElement()
                    .asString()
                    .contains(fresh.place() + " names 127.0.0.1:"
                            + RedisServer.shared().port() + ", epoch 4");
            assertThat(client.admin().examine().facts())
                    .containsEntry(
                            "address", "127.0.0.1:" + RedisServer.shared().port())
                    .containsEntry("sentinels", "3 asked, 3 answered")
                    .containsEntry("configuration epoch", "4")
                    .containsEntry("replicas by sentinels", "2");
        }
    }

    @Test
    void sentinels_setUpAnew_areTrustedByMajority() throws Exception {
        FakeSentinel one = sentinel().says("127.0.0.1", FreePort.next(), 0);
        FakeSentinel two = sentinel().says(RedisServer.shared(), 0);
        FakeSentinel three = sentinel().says(RedisServer.shared(), 0);
        works(connect(uri(one, two, three)));
    }

    @Test
    void sentinel_thatIsGoneOrSilent_isWarnedOf_andTheOthersSuffice() throws Exception {
        FakeSentinel silent = sentinel();
        silent.fallSilent();
        FakeSentinel good = sentinel().says(RedisServer.shared(), 1);
        String gone = "127.0.0.1:" + FreePort.next();
        try (Logs logs = new Logs()) {
            works(connect(uri(Stream.of(gone, silent.place(), good.place()))));
            assertThat(logs.ofBaton())
                    .anyMatch(line -> line.contains("the sentinel at " + gone + " does not say"))
                    .anyMatch(line -> line.contains("the sentinel at " + silent.place() + " does not say"))
                    .noneMatch(line -> line.contains("the sentinel at " + good.place()));
        }
    }

    @Test
    void sentinel_namedAlone_isWarnedOf() throws Exception {
        FakeSentinel one = sentinel().says(RedisServer.shared(), 1);
        try (Logs logs = new Logs()) {
            works(connect(uri(one)));
            assertThat(logs.ofBaton()).anyMatch(line -> line.contains("names one of 3 sentinels"));
        }
    }

    @Test
    void sentinels_thatAreAllGone_areSaidToBe() throws Exception {
        String one = "127.0.0.1:" + FreePort.next();
        String two = "127.0.0.1:" + FreePort.next();
        assertThat(refusal(uri(Stream.of(one, two))))
                .contains("no sentinel answers")
                .contains(one)
                .contains(two);
    }

    @Test
    void name_thatTheSentinelsDoNotKnow_isRefusedWithThoseTheyKnow() throws Exception {
        String uri = uri(sentinel(), sentinel()).replace("/" + FakeSentinel.NAME, "/mistaken");
        assertThat(refusal(uri)).contains("under the name mistaken").contains("they know: fake, other");
    }

    @Test
    void credentials_ofSentinels_areApart() throws Exception {
        FakeSentinel strict = sentinel(SECRET).says(RedisServer.shared(), 1);
        assertThat(refusal(uri(strict))).contains("sentinelPassword=");
        assertThat(refusal("redis+sentinel://:" + SECRET + '@' + strict.place() + "/fake"))
                .contains("are for sentinels");
        works(connect(uri(strict) + "?sentinelUser=watch&sentinelPassword=" + SECRET));
    }

    @Test
    void kindsOfServers_thatAreMixedUp_areRefusedWithWhatToWrite() throws Exception {
        RedisServer server = RedisServer.shared();
        assertThat(refusal(uri(Stream.of("127.0.0.1:" + server.port()))))
                .contains("is a data server, not a sentinel")
                .contains("usually 26379")
                .contains("redis://127.0.0.1:" + server.port());
        assertThat(refusal("redis://" + sentinel().place()))
                .contains("is a sentinel")
                .contains("redis+sentinel://");
    }

    @Test
    void announcedAddress_thatIsNotReached_isRefused_andCanBeMapped() throws Exception {
        FakeSentinel inside = sentinel().says("announced.invalid", 6379, 1);
        assertThat(lateRefusal(uri(inside)))
                .contains("the sentinels name announced.invalid:6379 as the primary")
                .contains("map=announced.invalid:6379=HOST:PORT");
        HostAndPort reached = new HostAndPort("127.0.0.1", RedisServer.shared().port());
        works(connect(uri(inside) + "?map=announced.invalid:6379=" + reached));
        works(connect(uri(inside) + "?map=announced.invalid:6379>" + reached));
        works(clients.connect(
                uri(inside),
                options()
                        .driverObject(DefaultJedisClientConfig.builder()
                                .hostAndPortMapper(announced ->
                                        announced.getHost().equals("announced.invalid") ? reached : announced)
                                .build())
                        .build()));
    }

    @Test
    void replica_thatIsNamed_isRefused_orUsedOnceItIsPromoted() throws Exception {
        RedisServer server = server();
        server.command("REPLICAOF", "127.0.0.1", "1");
        FakeSentinel early = sentinel().says(server, 1);
        assertThat(lateRefusal(uri(early)))
                .contains("name 127.0.0.1:" + server.port() + " as the primary, but it is a replica");
        Thread promotes = new Thread(() -> {
            int before = early.asked();
            try {
                until("asked again", () -> early.asked() > before + 1);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            server.command("REPLICAOF", "NO", "ONE");
        });
        promotes.start();
        // The other thread needs some time, too.
        works(clients.connect(
                uri(early), options().connectTimeout(Clients.PATIENCE).build()));
        promotes.join();
    }

    // ---- watching ------------------------------------------------------------------------------------------------

    @Test
    void announcement_movesTheClientAtOnce_andItLeavesTheOldServer() throws Exception {
        RedisServer before = server();
        RedisServer after = server();
        FakeSentinel one = sentinel().says(before, 1);
        FakeSentinel two = sentinel().says(before, 1);
        Baton client = connect(uri(one, two));
        works(client);
        until("heard", () -> one.isHeard() || two.isHeard());
        FakeSentinel heard = one.isHeard() ? one : two;
        try (JvmHiccups hiccups = new JvmHiccups()) {
            // Just now: without the announcement, the client would ask again in a second.
            int asked = heard.asked();
            until("asked again", () -> heard.asked() > asked);
            long start = System.nanoTime();
            heard.says(after, 2).announce();
            until("left, and arrived", () -> Clients.connections(before) == 0 && Clients.connections(after) == 2);
            assertThat(Clients.since(start)).isLessThan(hiccups.fair(Duration.ofMillis(900), HOPS));
        }
        works(client);
        assertThat(isAt(client, after)).isTrue();
    }

    @Test
    void announcement_thatIsLost_isMadeUpForByAsking() throws Exception {
        RedisServer before = server();
        RedisServer after = server();
        FakeSentinel one = sentinel().says(before, 1);
        FakeSentinel two = sentinel().says(before, 1);
        connect(uri(one, two));
        two.says(after, 2);
        until("left, and arrived", () -> Clients.connections(before) == 0 && Clients.connections(after) == 2);
    }

    @Test
    void sentinelThatTakesThePrimaryForDead_isAskedMoreOften_forAWhile() throws Exception {
        RedisServer before = server();
        FakeSentinel one = sentinel().says(before, 1);
        FakeSentinel two = sentinel().says(before, 1);
        connect(uri(one, two));
        until("heard", () -> one.isHeard() || two.isHeard());
        one.saysItIsDown();
        int asked = two.asked();
        until("asked again", () -> two.asked() > asked);
        long start = System.nanoTime();
        int quick = two.asked();
        until("asked often", () -> two.asked() >= quick + 8);
        // Otherwise it would be asked each second.
        assertThat(Clients.since(start)).isLessThan(Duration.ofMillis(8 * 200).plus(Clients.MARGIN));
        until("asked for long enough", () -> Clients.since(start).compareTo(Duration.ofSeconds(11)) > 0);
        int after = two.asked();
        Clients.throughout(Duration.ofSeconds(2), "asked each second", () -> two.asked() <= after + 3);
    }

    @Test
    void sentinel_thatMissedTheFailover_isNotFollowedBack() throws Exception {
        RedisServer after = server();
        FakeSentinel one = sentinel().says("127.0.0.1", 1, 1);
        FakeSentinel two = sentinel().says(after, 2);
        Baton client = connect(uri(one, two));
        until("heard", () -> one.isHeard() || two.isHeard());
        int asked = one.asked();
        two.close();
        until("asked again", () -> one.asked() > asked + 1);
        assertThat(isAt(client, after)).isTrue();
        works(client);
    }

    @Test
    void sentinel_thatIsHeardAndDies_isReplacedByTheNext() throws Exception {
        RedisServer before = server();
        RedisServer after = server();
        FakeSentinel one = sentinel().says(before, 1);
        FakeSentinel two = sentinel().says(before, 1);
        connect(uri(one, two));
        until("heard", () -> one.isHeard() || two.isHeard());
        FakeSentinel dies = one.isHeard() ? one : two;
        FakeSentinel next = dies == one ? two : one;
        dies.close();
        until("the next is heard", next::isHeard);
        next.says(after, 2).announce();
        until("moved", () -> Clients.connections(after) == 2);
    }

    @Test
    void sentinels_thatAreAllGone_leaveTheClientWhereItIs() throws Exception {
        RedisServer server = server();
        FakeSentinel one = sentinel().says(server, 1);
        Baton client = connect(uri(one));
        until("heard", one::isHeard);
        one.close();
        works(client);
        server.command("CLIENT", "KILL", "TYPE", "normal");
        server.command("CLIENT", "KILL", "TYPE", "pubsub");
        works(client);
        until("told", () -> client.admin().examine().facts().get("sentinels").equals("1 asked, 0 answered"));
    }

    /** A server that is named and refuses would otherwise see a connection for each call. */
    @Test
    void namedServer_thatRefuses_seesFewConnections() throws Exception {
        RedisServer before = server();
        RedisServer replica = server();
        replica.command("REPLICAOF", "127.0.0.1", "1");
        FakeSentinel one = sentinel().says(before, 1);
        Baton client = connect(uri(one));
        until("heard", one::isHeard);
        one.says(replica, 2).announce();
        until("left", () -> Clients.connections(before) == 0);
        long start = System.nanoTime();
        long connectionsBefore = received(replica);
        while (Clients.since(start).compareTo(Duration.ofSeconds(2)) < 0) {
            Throwable refused = catchThrowable(() -> client.lock("any").tryAcquire());
            assertThat(refused).isInstanceOf(StoreException.class);
        }
        // A stall may leave time for one try, and makes the time longer.
        long seconds = Clients.since(start).toSeconds();
        assertThat(received(replica) - connectionsBefore - 1).isBetween(1L, (seconds + 1) * 4);
        replica.command("REPLICAOF", "NO", "ONE");
        until("works", () -> catchThrowable(() -> works(client)) == null);
    }

    private static long received(RedisServer server) {
        return Long.parseLong(server.info("stats").get("total_connections_received"));
    }

    @Test
    void threads_endWithTheClient() throws Exception {
        Baton client = connect(uri(sentinel().says(RedisServer.shared(), 1)));
        until("started", () -> threads() > 0);
        client.close();
        until("ended", () -> threads() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("-redis-sentinels"))
                .count();
    }
}
