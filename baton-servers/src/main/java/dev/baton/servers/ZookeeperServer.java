package dev.baton.servers;

import dev.baton.servers.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A ZooKeeper for one test: one server in its own JVM that listens on a free loopback port. Its log is in
 * {@code target/servers}. Closed at the latest when this JVM ends.
 *
 * <p>The program is the one on this JVM's class path, which must contain Curator's test library or ZooKeeper itself.
 */
public final class ZookeeperServer extends ProcessServer {
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

    /** A ZooKeeper alone. */
    private static final class Zookeeper extends ZookeeperKind {
        private final Tls tls;
        private int tlsPort;

        Zookeeper(Tls tls) {
            this.tls = tls;
        }

        /** Returns the settings of the TLS port. The server still has the plain port, which shows whether it is up. */
        @Override
        List<String> settings(Path directory) throws IOException {
            if (tls == Tls.NONE) {
                return List.of();
            }
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

    @Override
    ServerLife life() {
        return life;
    }

    @Override
    public Path data() {
        return ZookeeperKind.data(life.directory());
    }

    /** Returns {@code zookeeper://127.0.0.1:port}. */
    @Override
    public String uri() {
        return "zookeeper://127.0.0.1:" + life.port();
    }

    /**
     * Ends sessions of its clients.
     *
     * @param most how many at most
     * @return how many have ended
     */
    public long endSessions(int most) {
        try {
            return ZookeeperSessions.end(life.pid(), most);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
}
