package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.servers.EtcdServer;
import dev.baton.servers.MariaServer;
import dev.baton.servers.MemcachedServer;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.ZookeeperServer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The stores that can be started for a run. */
public final class Sites {
    private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");

    /** The shortest that these servers accept: no lease can be shorter. */
    private static final String SESSION = "2s";

    private static final Map<String, Maker> MAKERS = new LinkedHashMap<>();

    static {
        MAKERS.put("redis", directory -> new RedisSite(false));
        MAKERS.put("redis-durable", directory -> new RedisSite(true));
        MAKERS.put("postgresql", directory -> postgresql());
        MAKERS.put("mariadb", directory -> mariadb());
        MAKERS.put("sqlite", Sites::sqlite);
        MAKERS.put("zookeeper", directory -> zookeeper());
        MAKERS.put("etcd", directory -> etcd());
        MAKERS.put("etcd-cluster", directory -> etcdCluster());
        MAKERS.put("memcached", directory -> memcached());
    }

    private Sites() {}

    private interface Maker {
        Site make(Path directory) throws Exception;
    }

    /**
     * Starts a store, or describes one that runs.
     *
     * @param store a name, or an address
     * @param directory for a store in a file
     * @throws IllegalArgumentException if there is no such store
     */
    public static Site open(String store, Path directory) throws Exception {
        Maker maker = MAKERS.get(store);
        if (maker != null) {
            return maker.make(directory);
        }
        if (store.contains(":")) {
            return new SimpleSite(store, 0, List.of(), () -> {});
        }
        throw new IllegalArgumentException("no store is called " + store + ": there are "
                + String.join(", ", MAKERS.keySet()) + ", and addresses");
    }

    /** Returns the names of the stores that can be started. */
    public static List<String> names() {
        return List.copyOf(MAKERS.keySet());
    }

    private static Site postgresql() {
        PostgresServer server = PostgresServer.start();
        return new SqlSite(
                server.uri(),
                "SELECT 'SELECT pg_terminate_backend(' || pid || ')' FROM pg_stat_activity"
                        + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
                List.of(
                        ServerFault.pause(server::pause, server::resume),
                        ServerFault.kill(Damage.NONE, server::kill, server::restart)),
                server::close);
    }

    private static Site mariadb() {
        return new SqlSite(
                MariaServer.shared().uri(),
                "SELECT concat('KILL ', id) FROM information_schema.processlist WHERE id <> connection_id()"
                        + " AND command <> 'Daemon'",
                List.of(),
                () -> {});
    }

    private static Site sqlite(Path directory) {
        return new SimpleSite("jdbc:sqlite:" + directory.resolve("locks.db"), 0, List.of(), () -> {});
    }

    private static Site zookeeper() {
        ZookeeperServer server = ZookeeperServer.start();
        return new SimpleSite(
                server.uri() + "?sessionTimeout=" + SESSION,
                SimpleSite.portOf(server.uri()),
                List.of(
                        ServerFault.pause(server::pause, server::resume),
                        ServerFault.kill(Damage.NONE, server::kill, server::restart)),
                server::close);
    }

    private static Site etcd() {
        EtcdServer server = EtcdServer.start();
        return new SimpleSite(
                server.uri() + "?ttl=" + SESSION,
                server.port(0),
                List.of(
                        ServerFault.pause(() -> server.pause(0), () -> server.resume(0)),
                        ServerFault.kill(Damage.NONE, () -> server.kill(0), () -> server.restart(0)),
                        compaction(server)),
                server::close);
    }

    private static Fault compaction(EtcdServer server) {
        return new ServerFault("history-compacted", Damage.NONE, (stage, random) -> {
            Matcher revision = REVISION.matcher(server.ask(0, "/v3/kv/range", "{\"key\":\"AA==\"}"));
            if (!revision.find()) {
                return 0;
            }
            server.ask(0, "/v3/kv/compaction", "{\"revision\":\"" + revision.group(1) + "\",\"physical\":true}");
            return 1;
        });
    }

    /** Three members. Clients know all of them, so no single network lies between. */
    private static Site etcdCluster() {
        EtcdServer server = EtcdServer.startCluster(3);
        AtomicInteger leader = new AtomicInteger();
        return new SimpleSite(
                server.uri() + "?ttl=" + SESSION,
                0,
                List.of(
                        named(
                                "leader-pause",
                                ServerFault.pause(
                                        () -> server.pause(found(server, leader)), () -> server.resume(leader.get()))),
                        named(
                                "leader-kill",
                                ServerFault.kill(
                                        Damage.NONE,
                                        () -> server.kill(found(server, leader)),
                                        () -> server.restart(leader.get())))),
                server::close);
    }

    private static int found(EtcdServer server, AtomicInteger leader) {
        leader.set(server.leader());
        return leader.get();
    }

    private static Fault named(String id, Fault fault) {
        return new ServerFault(
                id,
                fault.damage(),
                (stage, random) -> fault.happen(stage, random).effects());
    }

    private static Site memcached() {
        MemcachedServer server = MemcachedServer.start();
        return new SimpleSite(
                server.uri(),
                server.port(),
                List.of(
                        ServerFault.pause(server::pause, server::resume),
                        ServerFault.kill(Damage.FORGETS, server::kill, server::restart),
                        new ServerFault("items-flushed", Damage.FORGETS, (stage, random) -> {
                            long items = Long.parseLong(server.stats().get("curr_items"));
                            server.command("flush_all");
                            return items;
                        })),
                server::close);
    }
}
