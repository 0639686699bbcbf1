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

/** A server in this JVM, open to inspection and manipulation. */
final class InnerServer implements AutoCloseable {
    private final Path directory;
    private final Counting server;
    private final ServerCnxnFactory sockets;

    /** Counts the requests of clients, except their heartbeats, which come by themselves. */
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

    /** Returns the number of requests that arrived. */
    long received() {
        return server.serverStats().getPacketsReceived();
    }

    /** Returns the number of requests that arrived, without heartbeats. */
    long requests() {
        return server.requests.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the same number for one session. */
    long requests(long session) {
        return server.requests.getOrDefault(session, 0L);
    }

    /** Returns the number of answers and events that were sent. */
    long sent() {
        return server.serverStats().getPacketsSent();
    }

    /** Returns the number of connections that were opened, to any server of this JVM. */
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

    /** Returns the sessions of a queue's tickets, in their order. */
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

    /** Returns how many nodes are below a path. */
    long below(String path) {
        return children(path).stream()
                .mapToLong(child -> 1 + below(path + '/' + child))
                .sum();
    }

    /** Sets the number that the next ticket below a path gets. */
    void number(String path, int next) {
        server.getZKDatabase().getNode(path).stat.setCversion(next);
    }

    /** Returns the sessions that have ephemeral nodes. */
    List<Long> sessions() {
        return List.copyOf(server.getZKDatabase().getSessions());
    }

    /** Ends a session as if it had expired. */
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
