package dev.baton.bench;

import dev.baton.bench.Contestant.Home;
import dev.baton.tck.server.EtcdServer;
import dev.baton.tck.server.PostgresServer;
import dev.baton.tck.server.RedisServer;
import dev.baton.tck.server.ZookeeperServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The servers of a run: those that were named, and those that were started for it and end with it. */
final class Servers implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final double NANOS_PER_MICRO = 1e3;

    /** Starts servers of a kind, and adds itself to those of a run. */
    @FunctionalInterface
    private interface Starter {
        void start(Servers servers) throws Exception;
    }

    /**
     * What can be measured.
     *
     * @param word by which one is started
     * @param home whose it is
     * @param scheme what the addresses of those begin with that run already
     * @param starter starts one
     */
    private record Kind(String word, Home home, String scheme, Starter starter) {
        boolean isAt(String address) {
            return address.startsWith(scheme + ":") || address.startsWith(scheme + "s:");
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("redis", Home.SERVER, "redis", servers -> {
                RedisServer server = RedisServer.start();
                servers.add(Home.SERVER, server.uri(), servers.redis(server.uri()), server::close);
            }),
            new Kind("postgresql", Home.DATABASE, "jdbc:postgresql", servers -> {
                PostgresServer server = PostgresServer.start();
                servers.pids.add(server.pid()); // it is its own parent
                servers.add(Home.DATABASE, server.uri(), cpuOf(server.pid()), server::close);
            }),
            new Kind("zookeeper", Home.ZOOKEEPER, "zookeeper", servers -> {
                ZookeeperServer server = ZookeeperServer.start();
                servers.add(Home.ZOOKEEPER, server.uri(), cpuOf(server.pid()), server::close);
            }),
            new Kind("etcd", Home.ETCD, "etcd", servers -> {
                EtcdServer server = EtcdServer.start();
                servers.add(Home.ETCD, server.uri(), cpuOf(server.pid(0)), server::close);
            }));

    private final Map<Home, String> addresses = new EnumMap<>(Home.class);
    private final Map<Home, Supplier<Usage>> usages = new EnumMap<>(Home.class);
    private final List<Long> pids = new ArrayList<>();
    private final List<Runnable> closers = new ArrayList<>();

    private Servers() {}

    /** Names of what can be started. */
    static List<String> names() {
        return Stream.concat(Stream.of("memory"), KINDS.stream().map(Kind::word))
                .toList();
    }

    /**
     * Opens servers.
     *
     * @param stores names and addresses
     * @param progress hears what is going on
     * @throws IllegalArgumentException if there is no such store
     * @throws Exception if one does not start; those before it are closed again
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

    /** Starts a server for each home where one can be started here; what cannot is said, and left out. */
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
            // The disk is shared with whatever else the machine does, and is not what is measured.
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

    private void add(Home home, String address, Supplier<Usage> usage, Runnable closer) {
        addresses.put(home, address);
        usages.put(home, usage);
        closers.add(closer);
    }

    private Supplier<Usage> redis(String address) {
        RedisFigures figures = new RedisFigures(URI.create(address));
        closers.add(figures::close);
        return figures;
    }

    /** Processor time of a process and those that it started. */
    private static Supplier<Usage> cpuOf(long pid) {
        return () -> ProcessHandle.of(pid)
                .map(process -> Stream.concat(Stream.of(process), process.descendants())
                        .mapToDouble(each -> each.info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toNanos())
                        .sum())
                .map(nanos -> Usage.ofCpu(nanos / NANOS_PER_MICRO))
                .orElse(Usage.UNKNOWN);
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

    /** What the server of a home has done so far. */
    Supplier<Usage> usage(Home home) {
        return usages.getOrDefault(home, () -> Usage.UNKNOWN);
    }

    @Override
    public void close() {
        closers.forEach(Runnable::run);
    }
}
