package dev.baton.servers;

import dev.baton.servers.net.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A ZooKeeper for one test: one server in its own JVM that listens on a free loopback port. Its log is in
 * {@code target/servers}. Closed at the latest when this JVM ends.
 *
 * <p>The program is the one on this JVM's class path, which must contain Curator's test library or ZooKeeper itself.
 */
public final class ZookeeperServer implements AutoCloseable {
    private static final String MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain";
    private static final int ANSWER_LIMIT_MILLIS = 2_000;

    /** Which side shows a certificate: the one of this JVM, for localhost and 127.0.0.1. */
    public enum Tls {
        /** Neither side: no TLS. */
        NONE,
        /** The server. */
        OF_SERVER,
        /** The server and every client. */
        OF_BOTH
    }

    private static final String CERTIFICATE = "server.crt";
    private static final String IDENTITY = "server.pem";

    /** The command that starts ZooKeeper, and the check whether it is up. */
    private static final class Zookeeper implements ServerLife.Kind {
        private final Tls tls;
        private int tlsPort;

        Zookeeper(Tls tls) {
            this.tls = tls;
        }

        @Override
        public String name() {
            return "ZooKeeper";
        }

        @Override
        public List<String> command(Path directory, int port) throws IOException {
            Path config = directory.resolve("zoo.cfg");
            List<String> settings = new ArrayList<>(List.of(
                    "clientPort=" + port,
                    "clientPortAddress=127.0.0.1",
                    "dataDir=" + directory.resolve("data"),
                    "tickTime=1000",
                    "maxClientCnxns=0",
                    "admin.enableServer=false",
                    "4lw.commands.whitelist=ruok,srvr"));
            if (tls != Tls.NONE) {
                settings.addAll(encrypted(directory));
            }
            Files.write(config, settings);
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    MAIN,
                    config.toString());
        }

        /** Returns the settings of the TLS port. The server still has the plain port, which shows whether it is up. */
        private List<String> encrypted(Path directory) throws IOException {
            tlsPort = FreePort.next();
            Path identity = directory.resolve(IDENTITY);
            Path certificate = directory.resolve(CERTIFICATE);
            ServerCertificate.get().writeCertificate(certificate);
            ServerCertificate.get().writeKey(identity);
            Files.writeString(identity, Files.readString(certificate), StandardOpenOption.APPEND);
            return List.of(
                    "secureClientPort=" + tlsPort,
                    "secureClientPortAddress=127.0.0.1",
                    "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                    "authProvider.x509=org.apache.zookeeper.server.auth.X509AuthenticationProvider",
                    "ssl.keyStore.location=" + identity,
                    "ssl.keyStore.type=PEM",
                    "ssl.trustStore.location=" + certificate,
                    "ssl.trustStore.type=PEM",
                    "ssl.clientAuth=" + (tls == Tls.OF_BOTH ? "need" : "none"));
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

    private final Zookeeper kind;
    private final ServerLife life;

    private ZookeeperServer(Tls tls) {
        kind = new Zookeeper(tls);
        life = new ServerLife(kind);
    }

    /** Starts a server. */
    public static ZookeeperServer start() {
        return start(Tls.NONE);
    }

    /** Starts a server that also listens for TLS on another port. This needs Netty on this JVM's class path. */
    public static ZookeeperServer start(Tls tls) {
        ZookeeperServer server = new ZookeeperServer(tls);
        server.life.startOnFreePort();
        return server;
    }

    /** Returns {@code zookeeper://127.0.0.1:port}. */
    public String uri() {
        return "zookeeper://127.0.0.1:" + life.port();
    }

    /** Returns the port for TLS. */
    public int tlsPort() {
        return kind.tlsPort;
    }

    /** Returns the file with the server's certificate as PEM, for clients to trust. */
    public Path certificate() {
        return life.directory().resolve(CERTIFICATE);
    }

    /** Returns the file with a key and its certificate as PEM, for clients to show. */
    public Path identity() {
        return life.directory().resolve(IDENTITY);
    }

    /** Returns the process ID. */
    public long pid() {
        return life.pid();
    }

    /** Sends SIGSTOP: connections stay, and the server does not answer. */
    public void pause() {
        life.pause();
    }

    /** Sends SIGCONT. */
    public void resume() {
        life.resume();
    }

    /** Sends SIGKILL, and waits until the process has ended. The data that it has written stays on the disk. */
    public void kill() {
        life.kill();
    }

    /** Kills the process if it runs, starts it with its data on the same port, and waits until it answers. */
    public void restart() {
        life.restart();
    }

    @Override
    public void close() {
        life.close();
    }
}
