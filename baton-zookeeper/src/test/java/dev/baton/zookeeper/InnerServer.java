package dev.baton.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ServerMetrics;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A server in this JVM, open to looks and to mischief. */
final class InnerServer implements AutoCloseable {
    private final Path directory;
    private final Counting server;
    private final ServerCnxnFactory sockets;

    /** Counts what clients ask for. Their signs of life, which come by themselves, are none. */
    private static final class Counting extends ZooKeeperServer {
        private final Map<Long, Long> requests = new ConcurrentHashMap<>();

        Counting(Path directory) throws IOException {
            super(directory.toFile(), directory.toFile(), ZookeeperServers.TICK_MILLIS);
        }

        @Override
        public void submitRequestNow(Request request) {
            if (request.type != ZooDefs.OpCode.ping) {
                requests.merge(request.sessionId, 1L, Long::sum);
            }
            super.submitRequestNow(request);
        }
    }

    InnerServer() throws Exception {
        directory = Files.createTempDirectory("zookeeper");
        server = new Counting(directory);
        server.setMinSessionTimeout(200);
        server.setMaxSessionTimeout(60_000);
        sockets = NIOServerCnxnFactory.createFactory(new InetSocketAddress("127.0.0.1", 0), 1_000);
        sockets.startup(server);
    }

    int port() {
        return sockets.getLocalPort();
    }

    String servers() {
        return "127.0.0.1:" + port();
    }

    String uri() {
        return "zookeeper://" + servers() + "?sessionTimeout=60s&shortLeases=true";
    }

    /** Requests that came. */
    long received() {
        return server.serverStats().getPacketsReceived();
    }

    /** Requests that came, without signs of life. */
    long requests() {
        return server.requests.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The same of one session. */
    long requests(long session) {
        return server.requests.getOrDefault(session, 0L);
    }

    /** Answers and events that went. */
    long sent() {
        return server.serverStats().getPacketsSent();
    }

    /** Connections that were made, to any server of this JVM. */
    static long connections() {
        return ServerMetrics.getMetrics().CONNECTION_REQUEST_COUNT.get();
    }

    int watches() {
        return server.getZKDatabase().getDataTree().getWatchCount();
    }

    List<String> children(String path) {
        DataNode node = server.getZKDatabase().getNode(path);
        if (node == null) {
            return List.of();
        }
        synchronized (node) {
            return List.copyOf(node.getChildren());
        }
    }

    /** The sessions of a line's tickets, in their order. */
    List<Long> owners(String path) {
        return children(path).stream()
                .sorted(Comparator.comparing(child -> child.substring(child.length() - 10)))
                .map(child ->
                        server.getZKDatabase().getNode(path + '/' + child).stat.getEphemeralOwner())
                .toList();
    }

    boolean has(String path) {
        return server.getZKDatabase().getNode(path) != null;
    }

    /** How many nodes are below a path. */
    long below(String path) {
        return children(path).stream()
                .mapToLong(child -> 1 + below(path + '/' + child))
                .sum();
    }

    /** The number that the next ticket below a path gets. */
    void number(String path, int next) {
        server.getZKDatabase().getNode(path).stat.setCversion(next);
    }

    /** Sessions that have ephemeral nodes. */
    List<Long> sessions() {
        return List.copyOf(server.getZKDatabase().getSessions());
    }

    /** As if the session had expired. */
    void expire(long session) {
        server.closeSession(session);
    }

    @Override
    public void close() throws IOException {
        sockets.shutdown();
        server.shutdown();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
