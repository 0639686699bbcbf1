package dev.baton.chaos.server;

import dev.baton.BatonOptions;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.servers.EtcdServer;
import dev.baton.servers.H2ServerProcess;
import dev.baton.servers.MariaServer;
import dev.baton.servers.MemcachedServer;
import dev.baton.servers.MysqlServer;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.ZookeeperEnsemble;
import dev.baton.servers.ZookeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The stores that can be started for a run. */
public final class Sites {
    /** The shortest that these servers accept: no lease can be shorter. */
    private static final String SESSION = "2s";

    private static final int MEMBERS = 3;

    /** Short, because nothing is granted for as long after each failover. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** Longer than the nodes of a cluster need to agree that one is dead. */
    private static final Duration CLUSTER_GRACE = Duration.ofSeconds(6);

    private static final String POSTGRES_KILLS = "SELECT 'SELECT pg_terminate_backend(' || pid || ')'"
            + " FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
    private static final String MYSQL_KILLS = "SELECT concat('KILL ', id) FROM information_schema.processlist"
            + " WHERE id <> connection_id() AND command <> 'Daemon'";
    /** H2 keeps a transaction until its connection ends, and that of a client that is gone ends by probes alone. */
    private static final Duration H2_PROBES = Duration.ofSeconds(5);

    private static final String H2_KILLS = "SELECT 'CALL ABORT_SESSION(' || session_id || ')'"
            + " FROM information_schema.sessions WHERE session_id <> SESSION_ID()";

    private static final Map<String, Maker> MAKERS = new LinkedHashMap<>();

    /**
     * Not among the stores of which each run has to be good. {@code redis-three} is for locks of the zoo, and
     * {@code redis-quorum} the same servers for Baton, which has only locks there; {@code redis-cluster} takes three times the
     * processes of {@code redis}. The others are {@code redis-sentinel} with
     * one difference: without a grace period, as the control of the checkers; with the usual one; and with writes that a replica confirms.
     */
    private static final Map<String, Maker> SPECIAL = Map.of(
            "redis-three",
            directory -> new RedisThreeSite(false),
            "redis-quorum",
            directory -> new RedisThreeSite(true),
            "redis-cluster",
            directory -> new ClusterSite(CLUSTER_GRACE),
            "redis-sentinel-unguarded",
            directory -> new SentinelSite(GRACE, "?grace=off", Map.of()),
            "redis-sentinel-long",
            directory -> new SentinelSite(BatonOptions.DEFAULT_GRACE, RedisSite.STRICT, Map.of()),
            "redis-sentinel-replicated",
            directory -> new SentinelSite(
                    GRACE,
                    RedisSite.STRICT + "&replicated=1",
                    Map.of("min-replicas-to-write", "1", "min-replicas-max-lag", "2")));

    static {
        MAKERS.put("redis", directory -> new RedisSite(false, GRACE));
        MAKERS.put("redis-durable", directory -> new RedisSite(true, GRACE));
        MAKERS.put("redis-sentinel", directory -> new SentinelSite(GRACE, RedisSite.STRICT, Map.of()));
        MAKERS.put(
                "postgresql",
                directory ->
                        new SqlSite<>(new Started<>(PostgresServer::start), "", Damage.NONE, POSTGRES_KILLS, null));
        MAKERS.put(
                "mariadb",
                directory -> new SqlSite<>(new Started<>(MariaServer::start), "", Damage.NONE, MYSQL_KILLS, null));
        MAKERS.put(
                "mysql",
                directory -> new SqlSite<>(new Started<>(MysqlServer::start), "", Damage.NONE, MYSQL_KILLS, null));
        MAKERS.put("h2", directory -> h2(";WRITE_DELAY=500", Damage.FORGETS));
        MAKERS.put("h2-durable", directory -> h2(";WRITE_DELAY=0", Damage.NONE));
        MAKERS.put("sqlite", directory -> new FixedSite("jdbc:sqlite:" + directory.resolve("locks.db")));
        MAKERS.put("zookeeper", directory -> zookeeper());
        MAKERS.put("zookeeper-ensemble", directory -> zookeeperEnsemble());
        MAKERS.put("etcd", directory -> etcd());
        MAKERS.put("etcd-cluster", directory -> etcdCluster());
        MAKERS.put("memcached", directory -> memcached());
    }

    private Sites() {}

    private interface Maker {
        Site make(Path directory);
    }

    /**
     * Describes a store.
     *
     * @param store a name, or an address
     * @param directory for a store in a file
     * @throws IllegalArgumentException if there is no such store
     */
    public static Site of(String store, Path directory) {
        Maker maker = MAKERS.getOrDefault(store, SPECIAL.get(store));
        if (maker != null) {
            return maker.make(directory);
        }
        if (store.contains(":")) {
            return new FixedSite(store);
        }
        throw new IllegalArgumentException("no store is called " + store + ": there are "
                + String.join(", ", MAKERS.keySet()) + ", and addresses");
    }

    /** Returns the names of the stores that can be started. */
    public static List<String> names() {
        return List.copyOf(MAKERS.keySet());
    }

    private static Site h2(String options, Damage killed) {
        return new SqlSite<>(new Started<>(H2ServerProcess::start), options, killed, H2_KILLS, H2_PROBES);
    }

    private static Site zookeeper() {
        Started<ZookeeperServer> server = new Started<>(ZookeeperServer::start);
        List<Fault> faults = new ArrayList<>(ServerFault.ofProcess(Damage.NONE, server));
        faults.add(ServerFault.counted(
                "sessions-kill",
                Damage.ENDS_SESSIONS,
                (stage, random) -> server.get().endSessions(1)));
        return new LocalSite<>(server, "?sessionTimeout=" + SESSION, faults);
    }

    private static Site zookeeperEnsemble() {
        Started<ZookeeperEnsemble> servers = new Started<>(() -> ZookeeperEnsemble.start(MEMBERS));
        List<Fault> faults = new ArrayList<>(ServerFault.ofMembers(servers));
        faults.add(ServerFault.counted("sessions-kill", Damage.ENDS_SESSIONS, (stage, random) -> {
            int member = random.nextInt(MEMBERS);
            long ended = 0;
            for (int i = 0; i < MEMBERS && ended == 0; i++) {
                ended = servers.get().endSessions((member + i) % MEMBERS, 1);
            }
            return ended;
        }));
        return new MembersSite(servers, "?sessionTimeout=" + SESSION, faults);
    }

    private static Site etcd() {
        Started<EtcdServer> server = new Started<>(EtcdServer::start);
        List<Fault> faults = new ArrayList<>(ServerFault.ofProcess(Damage.NONE, () -> new EtcdMember(server.get(), 0)));
        faults.addAll(EtcdMember.faults(server));
        return new LocalSite<>(new Started<>(() -> new EtcdMember(server.get(), 0)), "?ttl=" + SESSION, faults);
    }

    private static Site etcdCluster() {
        Started<EtcdServer> servers = new Started<>(() -> EtcdServer.startCluster(MEMBERS));
        List<Fault> faults = new ArrayList<>(ServerFault.ofMembers(servers));
        faults.addAll(EtcdMember.faults(servers));
        return new MembersSite(servers, "?ttl=" + SESSION, faults);
    }

    private static Site memcached() {
        Started<MemcachedServer> server = new Started<>(MemcachedServer::start);
        List<Fault> faults = new ArrayList<>(ServerFault.ofProcess(Damage.FORGETS, server));
        faults.add(ServerFault.counted("items-flushed", Damage.FORGETS, (stage, random) -> {
            long items = Long.parseLong(server.get().stats().get("curr_items"));
            server.get().command("flush_all");
            return items;
        }));
        return new LocalSite<>(server, "", faults) {
            @Override
            public boolean knowsMoreThanLocks() {
                return false;
            }
        };
    }
}
