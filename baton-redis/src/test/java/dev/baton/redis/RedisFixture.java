package dev.baton.redis;

import dev.baton.servers.RedisCluster;
import dev.baton.servers.RedisSentinels;
import dev.baton.servers.RedisServer;
import dev.baton.spi.Deadline;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.StoreFixture;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real Redis, or the primaries of a cluster, emptied. All tests of the JVM share the servers. */
final class RedisFixture implements StoreFixture {
    /** The rights that a user needs, as docs/stores/redis.md lists them, for a namespace in place of NS. */
    static final String RIGHTS = "~NS:* &NS:* +info +time +eval +evalsha +script|load +get +set +del +exists +pexpire"
            + " +hget +hset +hmget +hgetall +hdel +hrandfield +zadd +zcount +zremrangebyscore +publish"
            + " +pubsub|numsub +subscribe +scan +ping +select +client|setname";

    /** The further rights on a cluster, as docs/stores/redis-cluster.md lists them. */
    static final String CLUSTER_RIGHTS = "+cluster|nodes +spublish +ssubscribe";

    private static final String PASSWORD = "f=k&p@55/w:rd";
    private static final String PASSWORD_IN_URI = "f%3Dk%26p%4055%2Fw%3Ard";

    /** The rights that a user needs at a sentinel, as docs/stores/redis-sentinel.md lists them. */
    static final String SENTINEL_RIGHTS =
            "&+switch-master +info +ping +subscribe +client|setname +sentinel|master +sentinel|masters";

    /** The servers of {@link #sentinel}; they live as long as the JVM. */
    private static final class SharedSentinels {
        private static final RedisSentinels SET = RedisSentinels.start();
    }

    /** The servers of {@link #securedSentinel}. */
    private static final class SecuredSentinels {
        private static final RedisSentinels SET = securedSentinels();
    }

    /** The servers of {@link #cluster}. */
    private static final class SharedCluster {
        private static final RedisCluster SET = RedisCluster.start();
    }

    /** The servers of {@link #securedCluster}. */
    private static final class SecuredCluster {
        private static final RedisCluster SET = RedisCluster.builder()
                .tls()
                .aclUser("user baton on >" + PASSWORD + " " + ofBothNamespaces() + " " + CLUSTER_RIGHTS)
                .start();
    }

    /** The servers of {@link #quorum}. */
    private static final class SharedQuorum {
        private static final List<RedisServer> FIVE =
                Stream.generate(RedisServer::start).limit(5).toList();
    }

    /** The servers of {@link #securedQuorum}. */
    private static final class SecuredQuorum {
        private static final List<RedisServer> THREE = Stream.generate(() -> RedisServer.builder()
                        .tls()
                        .aclUser("user baton on >" + PASSWORD + " " + ofBothNamespaces())
                        .start())
                .limit(3)
                .toList();
    }

    private enum Shared {
        PLAIN(RedisServer::shared),
        SECURED(() -> RedisServer.builder()
                .tls()
                .aclUser("user baton on >" + PASSWORD + " " + ofBothNamespaces())
                .start());

        private final Supplier<RedisServer> maker;
        private RedisServer server;

        Shared(Supplier<RedisServer> maker) {
            this.maker = maker;
        }

        synchronized RedisServer server() {
            if (server == null) {
                server = maker.get();
            }
            return server;
        }
    }

    private boolean settled;
    private final List<Store> opened = new CopyOnWriteArrayList<>();
    private final List<RedisServer> servers;
    private final String uri;

    private RedisFixture(RedisServer server, String uri) {
        this(List.of(server), uri);
    }

    private RedisFixture(List<RedisServer> servers, String uri) {
        this.servers = servers;
        this.uri = uri;
        servers.forEach(RedisFixture::forget);
    }

    /** Empties a server as if it had never had the namespace: not before the clients of earlier tests have gone. */
    private static void forget(RedisServer server) {
        Deadline patience = Deadline.in(Clients.PATIENCE.toNanos());
        // One of the channels of each client.
        while (server.command("PUBSUB", "CHANNELS", NAMESPACE + "*:*") instanceof List<?> clients
                && !clients.isEmpty()) {
            if (patience.leftNanos() <= 0) {
                throw new IllegalStateException("clients of an earlier test are still there: " + clients);
            }
            Thread.onSpinWait();
        }
        server.command("FLUSHALL");
    }

    private static String ofBothNamespaces() {
        return RIGHTS.replace("NS", NAMESPACE) + " ~NS:* &NS:*".replace("NS", OTHER_NAMESPACE);
    }

    /** Returns a fixture without password and TLS. */
    static RedisFixture plain() {
        RedisServer server = Shared.PLAIN.server();
        return new RedisFixture(server, server.uri());
    }

    /** Returns a fixture over TLS, as a user with the least rights. */
    static RedisFixture secured() {
        RedisServer server = Shared.SECURED.server();
        return new RedisFixture(
                server,
                "rediss://baton:" + PASSWORD_IN_URI + "@localhost:" + server.port() + "/0?ca=" + server.certificate());
    }

    @Override
    public Optional<Forgetful> forgetful() {
        if (uri.contains("+quorum:")) {
            // Its members' grace periods do not show in its answers.
            return Optional.empty();
        }
        return Optional.of(new Forgetful() {
            @Override
            public void remember() {
                servers.forEach(server -> copy(server, NAMESPACE, "kept"));
            }

            @Override
            public void forget() {
                for (RedisServer server : servers) {
                    copy(server, "kept", NAMESPACE);
                    for (Object bucket : (List<?>) server.command("KEYS", NAMESPACE + ":{*}:b")) {
                        Clients.removeEvidence(server, (String) bucket);
                    }
                }
            }

            @Override
            public long repeatedMicros() {
                return TimeUnit.NANOSECONDS.toMicros(Recent.KEPT_NANOS);
            }
        });
    }

    /** Makes the keys of one namespace a copy of those of another. */
    private static void copy(RedisServer server, String from, String to) {
        for (Object key : (List<?>) server.command("KEYS", to + ":*")) {
            server.command("DEL", (String) key);
        }
        for (Object key : (List<?>) server.command("KEYS", from + ":*")) {
            server.command("COPY", (String) key, to + ((String) key).substring(from.length()));
        }
    }

    /** Returns a fixture whose primary is found by sentinels. */
    static RedisFixture sentinel() {
        RedisSentinels set = SharedSentinels.SET;
        return new RedisFixture(set.primary(), set.uri());
    }

    /** Returns a fixture whose primary is found by sentinels, over TLS and as users with the least rights. */
    static RedisFixture securedSentinel() {
        RedisSentinels set = SecuredSentinels.SET;
        return new RedisFixture(set.primary(), securedUri(set));
    }

    /** Returns a fixture on a cluster. */
    static RedisFixture cluster() {
        RedisCluster set = SharedCluster.SET;
        return new RedisFixture(set.primaries(), set.uri());
    }

    /** Returns a fixture on a cluster, over TLS and as a user with the least rights. */
    static RedisFixture securedCluster() {
        RedisCluster set = SecuredCluster.SET;
        String address = set.uri().replace("://", "://baton:" + PASSWORD_IN_URI + '@') + "?ca="
                + set.members().get(0).certificate();
        return new RedisFixture(set.primaries(), address);
    }

    /** Returns a fixture on independent servers. */
    static RedisFixture quorum(int members) {
        List<RedisServer> servers = SharedQuorum.FIVE.subList(0, members);
        return new RedisFixture(servers, quorumUri(servers));
    }

    /** Has each command wait for all members of a quorum. */
    RedisFixture settled() {
        settled = true;
        return this;
    }

    /** Returns a fixture on independent servers, over TLS and as a user with the least rights. */
    static RedisFixture securedQuorum() {
        List<RedisServer> servers = SecuredQuorum.THREE;
        String address =
                quorumUri(servers).replace("redis+", "rediss+").replace("://", "://baton:" + PASSWORD_IN_URI + '@')
                        + "?ca=" + servers.get(0).certificate();
        return new RedisFixture(servers, address);
    }

    /** Returns the address of a quorum. */
    static String quorumUri(List<RedisServer> members) {
        return "redis+quorum://"
                + members.stream()
                        .map(member -> member.host() + ':' + member.port())
                        .collect(Collectors.joining(","));
    }

    /** Starts servers that take only TLS and passwords. */
    static RedisSentinels securedSentinels() {
        return RedisSentinels.builder()
                .tls()
                .aclUser("user baton on >" + PASSWORD + " " + ofBothNamespaces())
                .sentinelAclUser("user watch on >" + PASSWORD + "2 " + SENTINEL_RIGHTS)
                .start();
    }

    /** Returns the address for a client of {@link #securedSentinels}. */
    static String securedUri(RedisSentinels set) {
        return set.uri().replace("://", "://baton:" + PASSWORD_IN_URI + '@') + "/0?ca="
                + set.members().get(0).certificate() + "&sentinelUser=watch&sentinelPassword=" + PASSWORD_IN_URI + '2';
    }

    RedisServer server() {
        return servers.get(0);
    }

    @Override
    public StoreProvider provider() {
        return new RedisStoreProvider();
    }

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        Store store = RedisStoreProvider.open(config, clock);
        if (store instanceof QuorumStore) {
            opened.add(store);
        }
        return settled ? new SettledStore(store) : store;
    }

    /** A quorum's commands reach some of its members after they were answered. An answer of all to a later one shows that. */
    @Override
    public void settle() {
        for (Store store : opened) {
            try {
                SettledStore.settle(store);
            } catch (StoreFailure closed) {
                opened.remove(store);
            }
        }
    }

    /** A client of a quorum does not ask the members to release what it does not hold. */
    @Override
    public boolean noticesExpiryLate() {
        return settled;
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public long residue() {
        return servers.stream().mapToLong(server -> keys(server, "[rqg]:*")).sum();
    }

    static long keys(RedisServer server, String pattern) {
        Object keys = server.command("KEYS", NAMESPACE + ":{*}:" + pattern);
        return keys instanceof List<?> list ? list.size() : 0;
    }

    @Override
    public void close() {
        // The servers keep running, for the next test.
    }
}
