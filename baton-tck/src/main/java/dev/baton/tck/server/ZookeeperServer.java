package dev.baton.tck.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A ZooKeeper of one's own: one server in a JVM of its own that listens on a free loopback port. What it logs is in
 * {@code target/servers}. Closed at the latest when this JVM ends.
 *
 * <p>The program is the one on this JVM's class path, where Curator's test library or ZooKeeper itself has to be.
 */
public final class ZookeeperServer implements AutoCloseable {
    private static final String MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain";
    private static final int ANSWER_LIMIT_MILLIS = 2_000;

    /** How ZooKeeper is started and asked whether it is there. */
    private static final class Zookeeper implements ServerLife.Kind {
        @Override
        public String name() {
            return "ZooKeeper";
        }

        @Override
        public List<String> command(Path directory, int port) throws IOException {
            Path config = directory.resolve("zoo.cfg");
            Files.write(
                    config,
                    List.of(
                            "clientPort=" + port,
                            "clientPortAddress=127.0.0.1",
                            "dataDir=" + directory.resolve("data"),
                            "tickTime=1000",
                            "maxClientCnxns=0",
                            "admin.enableServer=false",
                            "4lw.commands.whitelist=ruok"));
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    MAIN,
                    config.toString());
        }

        @Override
        public boolean answers(long pid, int port) throws IOException {
            try (Socket socket = new Socket()) {
                socket.setSoTimeout(ANSWER_LIMIT_MILLIS);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_LIMIT_MILLIS);
                socket.getOutputStream().write("ruok".getBytes(StandardCharsets.US_ASCII));
                byte[] answer = socket.getInputStream().readAllBytes();
                return new String(answer, StandardCharsets.US_ASCII).equals("imok");
            }
        }

        @Override
        public String portTaken() {
            return "Address already in use";
        }
    }

    private final ServerLife life = new ServerLife(new Zookeeper());

    private ZookeeperServer() {}

    /** Starts a server. */
    public static ZookeeperServer start() {
        ZookeeperServer server = new ZookeeperServer();
        server.life.startOnFreePort();
        return server;
    }

    /** {@code zookeeper://127.0.0.1:port}. */
    public String uri() {
        return "zookeeper://127.0.0.1:" + life.port();
    }

    /** The process. */
    public long pid() {
        return life.pid();
    }

    @Override
    public void close() {
        life.close();
    }
}
