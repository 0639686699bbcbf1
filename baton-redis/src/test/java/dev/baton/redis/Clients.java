package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.LockInfo;
import dev.baton.servers.RedisServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Protocol;
import dev.baton.tck.StoreFixture;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

/** Clients through the public API, closed with the test case, and ways to wait for what they observe. */
final class Clients implements AutoCloseable {
    /**
     * The time that a slow machine may add to any measurement: its JVMs stand still for seconds now and then. Less than
     * the five seconds after which a silent connection is given up.
     */
    static final Duration MARGIN = Duration.ofSeconds(4);

    /** After this time, an expected event will not happen any more. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** G of most cases. */
    static final Duration GRACE = Duration.ofSeconds(2);

    /** A lease that must not be lost: it outlasts a stall of this machine of two and a half seconds. */
    static final Duration PATIENT_LEASE = Duration.ofSeconds(4);

    /** The G that goes with such a lease: without an answer, a client believes in no hold for longer. */
    static final Duration PATIENT_GRACE = Duration.ofSeconds(5);

    private final List<Baton> clients = new CopyOnWriteArrayList<>();

    /** Short leases, which cost little to lose, and the G that goes with them. */
    static BatonOptions.Builder options() {
        return BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .leaseTime(Duration.ofSeconds(1))
                .grace(GRACE)
                .storeTimeout(Duration.ofSeconds(5));
    }

    /** For cases in which a hold must be kept. */
    static BatonOptions.Builder patient() {
        return options()
                .leaseTime(PATIENT_LEASE)
                .grace(PATIENT_GRACE)
                .storeTimeout(Duration.ofSeconds(15))
                .connectTimeout(Duration.ofSeconds(10));
    }

    Baton connect(String uri, BatonOptions options) {
        Baton client = Baton.connect(uri, options);
        clients.add(client);
        return client;
    }

    Baton connect(RedisServer server) {
        return connect(server.uri(), options().build());
    }

    Baton connectPatiently(RedisServer server) {
        return connect(server.uri(), patient().build());
    }

    Baton connect(TcpProxy proxy, BatonOptions options) {
        return connect("redis://" + proxy.host() + ':' + proxy.port(), options);
    }

    @Override
    public void close() {
        clients.forEach(Baton::close);
    }

    // ---- keys ----------------------------------------------------------------------------------------------------

    static String bucketKey(String name) {
        return bucketKey(Protocol.bucketOf(name));
    }

    static String bucketKey(int bucket) {
        return StoreFixture.NAMESPACE + ":{" + bucket + "}:b";
    }

    /** Removes a bucket's evidence, by which its server would know that it never lost anything. */
    static void removeEvidence(RedisServer server, String bucketKey) {
        server.command("HDEL", bucketKey, "e", "w");
    }

    static String recordKey(String name) {
        return StoreFixture.NAMESPACE + ":{" + Protocol.bucketOf(name) + "}:r:" + name;
    }

    static String queueKey(String name) {
        return StoreFixture.NAMESPACE + ":{" + Protocol.bucketOf(name) + "}:q:" + name;
    }

    static String gapsKey(String name) {
        return StoreFixture.NAMESPACE + ":{" + Protocol.bucketOf(name) + "}:g:" + name;
    }

    static String noteKey(String name) {
        return StoreFixture.NAMESPACE + ":{" + Protocol.bucketOf(name) + "}:n:" + name;
    }

    static int queued(Baton client, String name) {
        return client.admin()
                .inspect(name)
                .map(LockInfo::waiters)
                .map(List::size)
                .orElse(0);
    }

    /** Returns how many connections of Baton's a server has. */
    static long connections(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains("name=baton-"))
                .count();
    }

    /** Returns how many scripts a server has run since its statistics were reset. */
    static long scriptCalls(RedisServer server) {
        return server.calls("evalsha") + server.calls("eval");
    }

    // ---- waiting -------------------------------------------------------------------------------------------------

    /** Waits until a condition holds; the time limit only ends a wait for something that never happens. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        within(PATIENCE, what, condition);
    }

    /** Waits until a condition holds, and fails if it takes longer than allowed. */
    static void within(Duration limit, String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            assertThat(since(start)).as("not in time: " + what).isLessThan(limit);
            Thread.sleep(2);
        }
    }

    /** Checks for a while that a condition keeps holding. */
    static void throughout(Duration time, String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (since(start).compareTo(time) < 0) {
            assertThat(condition.call()).as("did not stay so: " + what).isTrue();
            Thread.sleep(2);
        }
    }

    static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    /** Returns whether a server says that it is a primary; one that changes its role ends the connection instead. */
    static boolean isPrimary(RedisServer server) {
        try {
            return "master".equals(server.info("replication").get("role"));
        } catch (UncheckedIOException changesItsRole) {
            return false;
        }
    }
}
