package dev.baton.bench;

import dev.baton.servers.EtcdServer;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.RedisServer;
import dev.baton.servers.ZookeeperServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The servers of a run: running ones that the user names, and ones that are started for the run and stop with it. */
final class Servers implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Starts a server of one kind and adds it to the servers of a run. */
    @FunctionalInterface
    private interface Starter {
        void start(Servers servers) throws Exception;
    }

    /**
     * A kind of server.
     *
     * @param word the option that starts one
     * @param home the home that it serves
     * @param scheme the scheme of addresses of running servers
     * @param starter starts a server
     */
    private record Kind(String word, Home home, String scheme, Starter starter) {
        boolean isAt(String address) {
            return address.startsWith(scheme + ":") || address.startsWith(scheme + "s:");
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("redis", Home.SERVER, "redis", servers -> {
                RedisServer server = RedisServer.start();
                servers.add(Home.SERVER, server.uri(), servers.redis(server.uri()), server.pid(), server::close);
            }),
            new Kind("postgresql", Home.DATABASE, "jdbc:postgresql", servers -> {
                PostgresServer server = PostgresServer.start();
                servers.pids.add(server.pid()); // PostgreSQL does not descend from this JVM
                servers.add(Home.DATABASE, server.uri(), server.pid(), server::close);
            }),
            new Kind("zookeeper", Home.ZOOKEEPER, "zookeeper", servers -> {
                ZookeeperServer server = ZookeeperServer.start();
                servers.add(Home.ZOOKEEPER, server.uri(), server.pid(), server::close);
            }),
            new Kind("etcd", Home.ETCD, "etcd", servers -> {
                EtcdServer server = EtcdServer.start();
                servers.add(Home.ETCD, server.uri(), server.pid(0), server::close);
            }));

    private final Map<Home, String> addresses = new EnumMap<>(Home.class);
    private final Map<Home, Supplier<Usage>> usages = new EnumMap<>(Home.class);
    private final Map<Home, ServerTree> trees = new EnumMap<>(Home.class);
    private final List<Long> pids = new ArrayList<>();
    private final List<Runnable> closers = new ArrayList<>();

    private Servers() {}

    /** Returns whether a store is the address of a running server, and not the name of a kind to start. */
    static boolean isAddress(String store) {
        return KINDS.stream().anyMatch(kind -> kind.isAt(store));
    }

    /** Returns the names of the kinds that can be started. */
    static List<String> names() {
        return Stream.concat(Stream.of("memory"), KINDS.stream().map(Kind::word))
                .toList();
    }

    /**
     * Opens servers.
     *
     * @param stores names of kinds, and addresses of running servers
     * @param progress receives lines that report progress
     * @throws IllegalArgumentException if there is no such store
     * @throws Exception if a server does not start; the servers before it are closed
     */
    static Servers open(List<String> stores, Consumer<String> progress) throws Exception {
        Servers servers = empty();
        try {
            for (String store : stores) {
                servers.open(store, progress);
            }
            return servers;
        } catch (Exception e) {
            servers.close();
            throw e;
        }
    }

    /** Starts a server for each home. Kinds that cannot start here are reported and left out. */
    static Servers openWhatCan(Collection<Home> homes, Consumer<String> progress) {
        Servers servers = empty();
        KINDS.stream().filter(kind -> homes.contains(kind.home)).forEach(kind -> {
            try {
                servers.open(kind.word, progress);
            } catch (Exception e) {
                progress.accept(kind.word + " does not start here, and is left out: " + e.getMessage());
            }
        });
        return servers;
    }

    private static Servers empty() {
        if (Files.isWritable(MEMORY) && System.getProperty("baton.servers.scratch") == null) {
            // Other programs use the disk too, and the disk is not the subject of the measurement.
            System.setProperty("baton.servers.scratch", MEMORY.toString());
        }
        return new Servers();
    }

    private void open(String store, Consumer<String> progress) throws Exception {
        if (store.equals("memory")) {
            return;
        }
        for (Kind kind : KINDS) {
            if (kind.word.equals(store)) {
                progress.accept("starting " + store);
                kind.starter.start(this);
                return;
            }
            if (kind.isAt(store)) {
                addresses.put(kind.home, store);
                if (kind.home == Home.SERVER) {
                    usages.put(kind.home, redis(store));
                }
                return;
            }
        }
        throw new IllegalArgumentException("no store is called " + store + ": there are " + String.join(", ", names())
                + ", and addresses of servers, such as redis://127.0.0.1:6379");
    }

    private void add(Home home, String address, long pid, Runnable closer) {
        ServerTree server = new ServerTree(pid);
        add(home, address, () -> Usage.ofCpu(server.cpuMicros()), pid, closer);
    }

    private void add(Home home, String address, Supplier<Usage> usage, long pid, Runnable closer) {
        addresses.put(home, address);
        usages.put(home, usage);
        trees.put(home, new ServerTree(pid));
        closers.add(closer);
    }

    private Supplier<Usage> redis(String address) {
        RedisFigures figures = new RedisFigures(URI.create(address));
        closers.add(figures::close);
        return figures;
    }

    Map<Home, String> addresses() {
        return addresses;
    }

    /** Returns the processes of started servers that do not descend from this JVM. */
    List<Long> pids() {
        return pids;
    }

    /** Asks each server for its name and its version. */
    Map<Home, String> versions() {
        Map<Home, String> versions = new EnumMap<>(Home.class);
        addresses.forEach((home, address) -> versions.put(home, ServerVersions.of(home, address)));
        return versions;
    }

    /** Returns a supplier of the figures that the server of a home has counted so far. */
    Supplier<Usage> usage(Home home) {
        return usages.getOrDefault(home, () -> Usage.UNKNOWN);
    }

    /**
     * Returns the processes of a home's server.
     *
     * @throws IllegalArgumentException if it was not started here
     */
    ServerTree tree(Home home) {
        ServerTree tree = trees.get(home);
        if (tree == null) {
            throw new IllegalArgumentException("only a server that is started here shows its memory: name it as one of "
                    + String.join(", ", names()));
        }
        return tree;
    }

    @Override
    public void close() {
        closers.forEach(Runnable::run);
    }
}
