package dev.baton.redis;

import dev.baton.internal.store.HostClock;
import dev.baton.spi.Agreement;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/**
 * Opens {@code redis://HOST:PORT/DATABASE}, {@code redis+sentinel://HOST:PORT,HOST:PORT/NAME/DATABASE} for servers that
 * sentinels watch, {@code redis+cluster://HOST:PORT,HOST:PORT} for a cluster, or
 * {@code redis+quorum://HOST:PORT,HOST:PORT,HOST:PORT/DATABASE} for independent servers of which a majority decides;
 * {@code rediss} in place of {@code redis} for TLS. Locks in Redis or Valkey. Found by {@link java.util.ServiceLoader}.
 *
 * <p>Accepts an {@link SSLContext} or a {@link JedisClientConfig} of the application, as a resource of the client's
 * options. A client keeps two connections for its whole life, but a pool lends a connection for one command; so pass
 * the configuration of the pool, not the pool.
 */
public final class RedisStoreProvider implements StoreProvider {
    private static final int LONGEST_SENTINEL_MILLIS = 1_000;

    /** Creates the provider; the service loader calls this. */
    public RedisStoreProvider() {}

    @Override
    public Map<String, Capabilities> schemes() {
        return Map.of(
                RedisAddress.PLAIN, RedisStore.CAPABILITIES,
                RedisAddress.TLS, RedisStore.CAPABILITIES,
                RedisAddress.SENTINEL, RedisStore.CAPABILITIES,
                RedisAddress.SENTINEL_TLS, RedisStore.CAPABILITIES,
                RedisAddress.CLUSTER, RedisStore.CAPABILITIES,
                RedisAddress.CLUSTER_TLS, RedisStore.CAPABILITIES,
                RedisAddress.QUORUM, QuorumStore.CAPABILITIES,
                RedisAddress.QUORUM_TLS, QuorumStore.CAPABILITIES);
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        return open(config, null);
    }

    /** Opens a store that goes by another clock than the server's, or by that with null. */
    static Store open(StoreConfig config, @Nullable LongSupplier clock) throws StoreFailure {
        config.requireDriverObjectsOf(SSLContext.class, JedisClientConfig.class);
        return new Opening(config, clock)
                .open(Deadline.in(config.connectTimeout().toNanos()));
    }

    /** Builds all parts of one client's store. */
    private static final class Opening {
        private final @Nullable LongSupplier clock;
        private final StoreConfig config;
        private final RedisAddress address;
        private final JedisClientConfig jedis;
        private final Credentials credentials;
        private final @Nullable Encryption encryption;
        private final String clientName;
        private final Keys keys;
        private final Scripts scripts;
        private final ScriptCalls calls;
        private final AtomicReference<Agreement> agreement;

        Opening(StoreConfig config, @Nullable LongSupplier clock) throws StoreFailure {
            this.config = config;
            this.clock = clock;
            this.address = RedisAddress.of(config.uri());
            this.jedis = Settings.of(address, config);
            this.credentials = Credentials.of(address, config);
            this.encryption = Encryption.of(address, config);
            this.clientName = "baton-" + config.clientId().substring(0, 6);
            this.keys = new Keys(config.namespace());
            this.scripts = new Scripts(config.timings(), address.grace(), address.cluster());
            this.calls = new ScriptCalls(scripts, config, clock);
            this.agreement = new AtomicReference<>(Hello.agreement(config));
        }

        Store open(Deadline deadline) throws StoreFailure {
            try {
                return switch (address.kind()) {
                    case SERVER -> store(server(deadline));
                    case SENTINELS -> store(sentinel(Objects.requireNonNull(address.sentinels()), deadline));
                    case CLUSTER -> store(cluster(deadline));
                    case QUORUM -> quorum(deadline);
                };
            } catch (StoreFailure | RuntimeException refused) {
                credentials.close();
                throw refused;
            }
        }

        private RedisStore store(Topology topology) {
            Examination examination = new Examination(topology, address, at -> dialer(at, server -> {}));
            return new RedisStore(calls, keys, topology, credentials, examination, address.replicated() > 0);
        }

        private Dialer dialer(HostAndPort at, Fitness fitness) {
            return new Dialer(at, jedis, credentials, encryption, clientName, fitness);
        }

        private Topology server(Deadline deadline) throws StoreFailure {
            Dialer dialer = dialer(address.host(), Server::require);
            Node node = node(dialer::open, Buckets.ALL, () -> {}, address.target());
            return Standalone.open(node, dialer::open, deadline);
        }

        private Topology sentinel(SentinelAccess access, Deadline deadline) throws StoreFailure {
            String witnesses = "the sentinels name";
            Primary primary = new Primary(
                    witnesses,
                    config.clientId(),
                    at -> dialer(at, server -> Primary.require(server, witnesses, Hosts.shown(at))),
                    () -> {});
            Node node = node(primary, Buckets.ALL, () -> {}, address.target());
            return Sentinel.open(sentinels(access), primary, node, access.service(), config.clientId(), deadline);
        }

        private Topology cluster(Deadline deadline) throws StoreFailure {
            JedisClientConfig quick = forOneOfTheHosts();
            ClusterAsking asking = new ClusterAsking(
                    address.hosts(),
                    at -> new Dialer(at, quick, credentials, encryption, clientName, Server::requireInCluster));
            return Cluster.open(asking, new ClusterParts(), keys, clientName + "-redis-cluster", deadline);
        }

        private QuorumStore quorum(Deadline deadline) throws StoreFailure {
            JedisClientConfig quick = forOneOfTheHosts();
            LongSupplier micros = clock == null ? HostClock::micros : clock;
            List<QuorumMember> members = new ArrayList<>();
            for (HostAndPort at : address.hosts()) {
                Dialer dialer = new Dialer(at, quick, credentials, encryption, clientName, Server::require);
                String target = Hosts.shown(at);
                MemberClock watched = new MemberClock(config.timings().graceMicros(), micros);
                members.add(new QuorumMember(target, watched, dialer, opener -> {
                    Node node = node(opener, Buckets.ALL, () -> {}, target);
                    return new QuorumMember.Parts(node, store(new Standalone(node, List.of())));
                }));
            }
            Supplier<String> id = () -> Objects.requireNonNull(agreement.get()).namespaceId();
            QuorumMembers connected =
                    QuorumMembers.open(members, id, address.grace(), clientName + "-redis-quorum", deadline);
            return new QuorumStore(connected, config.clientId(), credentials, micros);
        }

        /** Returns settings with a share of the time for connecting, so that the last host is asked if all others are gone. */
        private JedisClientConfig forOneOfTheHosts() {
            return Settings.of(
                    address,
                    config,
                    config.connectTimeout().toMillis() / (address.hosts().size() + 1));
        }

        /** The parts of a cluster's shards. */
        private final class ClusterParts implements Cluster.Parts {
            private static final String WITNESSES = "the cluster names";

            @Override
            public Primary primary(Runnable onFailure) {
                return new Primary(
                        WITNESSES,
                        config.clientId(),
                        at -> dialer(at, server -> Primary.requireInCluster(server, WITNESSES, Hosts.shown(at))),
                        onFailure);
            }

            @Override
            public Node node(Primary primary, Buckets buckets, Runnable onBreak, HostAndPort at) {
                return Opening.this.node(primary, buckets, onBreak, "the shard of " + Hosts.shown(at));
            }
        }

        /** Divides the time for connecting, so that the last sentinel is asked if all others are gone. */
        private Sentinels sentinels(SentinelAccess access) throws StoreFailure {
            Encryption encrypted = Encryption.ofSentinels(address, access, config);
            int parts = address.hosts().size() + 1;
            int millis = (int) Math.max(
                    1, Math.min(LONGEST_SENTINEL_MILLIS, config.connectTimeout().toMillis() / parts));
            JedisClientConfig settings = Settings.ofSentinels(millis);
            Credentials own = Credentials.fixed(access.user(), access.password());
            List<SentinelLink> links = new ArrayList<>();
            for (HostAndPort at : address.hosts()) {
                Fitness fitness = server -> SentinelLink.require(server, Hosts.shown(at));
                links.add(new SentinelLink(
                        at, new Dialer(at, settings, own, encrypted, clientName, fitness), access.service()));
            }
            return new Sentinels(links, access.service());
        }

        private Node node(Dialer.Opener opener, Buckets buckets, Runnable onBreak, String target) {
            int replicated = address.replicated();
            Channels channels = new Channels(keys, config.clientId(), jedis.getDatabase(), address.cluster(), buckets);
            Hello hello =
                    new Hello(config, keys, scripts, calls, address.grace(), replicated, channels, agreement, target);
            KnownGrace grace = new KnownGrace();
            Commands commands = new Commands(calls, keys, config, grace, address.cluster());
            return new Node(opener, hello, commands, grace, credentials, channels, onBreak, config, target, replicated);
        }
    }
}
