package dev.baton.servers;

import dev.baton.servers.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An etcd for one test, which can pause, kill and restart it: one member or a cluster of several. Each member is a
 * process that listens on two free loopback ports. It has its own directory, which is deleted when the server is
 * closed; a member that is killed keeps its data until then. Their logs are in {@code target/servers}. Closed at the
 * latest when this JVM ends.
 *
 * <p>The program is looked up in this order: the system property {@code baton.etcd.server}, the {@code PATH}, Debian's
 * package, unpacked into the user's cache (3.4.23 in Debian 12).
 *
 * <p>The methods that ask the server are thread-safe; the methods that pause, stop and start members are for one thread
 * at a time. Members are numbered from 0.
 */
public final class EtcdServer extends MemberProcesses {
    private static final DistributionPackage PACKAGE = new DistributionPackage("etcd", "etcd-server", "usr/bin/etcd");
    private static final Pattern MEMBER = Pattern.compile("\"member_id\":\"(\\d+)\"");
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"(\\d+)\"");

    /** A member that is stopped is not waited for while its ensemble is looked at. */
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(2);

    /** Members elect, and machines stall. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    /** Tests want a short election. */
    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(500);

    private static final String CERTIFICATE = "server.crt";
    private static final String KEY = "server.key";
    private static final int OK = 200;

    /** Which side shows a certificate: the one of this JVM, for localhost and 127.0.0.1. */
    public enum Tls {
        /** Neither side: clients use plain text. */
        NONE,
        /** The server. */
        OF_SERVER,
        /** The server and each client. */
        OF_BOTH
    }

    /** The server that tests share. */
    private static final class Shared {
        private static final EtcdServer SERVER = start();
    }

    /** The command that starts a member, and the check whether it is up. */
    private final class Etcd implements ServerLife.Kind {
        private final DistributionPackage.Program program = PACKAGE.get();
        private final String member;
        private final int peerPort;

        Etcd(String member, int peerPort) {
            this.member = member;
            this.peerPort = peerPort;
        }

        @Override
        public String name() {
            return "etcd";
        }

        @Override
        public List<String> command(Path directory, int port) throws IOException {
            String client = clientUri(port);
            String peer = uri(peerPort);
            List<String> command = new ArrayList<>(List.of(
                    program.path().toString(),
                    "--name=" + member,
                    "--data-dir=" + data(directory),
                    "--listen-client-urls=" + client,
                    "--advertise-client-urls=" + client,
                    "--listen-peer-urls=" + peer,
                    "--initial-advertise-peer-urls=" + peer,
                    "--initial-cluster=" + cluster,
                    "--initial-cluster-token=" + token,
                    "--heartbeat-interval=50",
                    "--election-timeout=" + electionTimeout.toMillis()));
            if (tls != Tls.NONE) {
                ServerCertificate.get().writeKey(directory.resolve(KEY));
                ServerCertificate.get().writeCertificate(directory.resolve(CERTIFICATE));
                command.add("--cert-file=" + directory.resolve(CERTIFICATE));
                command.add("--key-file=" + directory.resolve(KEY));
            }
            if (tls == Tls.OF_BOTH) {
                command.add("--client-cert-auth");
                command.add("--trusted-ca-file=" + directory.resolve(CERTIFICATE));
            }
            return command;
        }

        @Override
        public Map<String, String> environment() {
            return program.environment();
        }

        /**
         * Returns whether a leader is known and the answering member belongs to this cluster: its names and ports are
         * unique.
         */
        @Override
        public boolean answers(long pid, int port) throws IOException {
            return get(port, "/health").contains("\"true\"")
                    && post(port, "/v3/cluster/member/list", "{}", LOOK_LIMIT).contains(uri(peerPort));
        }

        @Override
        public String portTaken() {
            return "address already in use";
        }
    }

    private final Tls tls;
    private final Duration electionTimeout;
    private final HttpClient http;
    private String token = "";
    private String cluster = "";

    private EtcdServer(Tls tls, Duration electionTimeout) {
        super("etcd");
        this.tls = tls;
        this.electionTimeout = electionTimeout;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(LOOK_LIMIT);
        if (tls != Tls.NONE) {
            builder.sslContext(ServerCertificate.get().trust());
        }
        this.http = builder.build();
    }

    /** Starts a single member. */
    public static EtcdServer start() {
        return startCluster(1);
    }

    /** Starts a single member that clients reach with this kind of TLS. */
    public static EtcdServer start(Tls tls) {
        return startCluster(1, tls);
    }

    /**
     * Starts a single member with another election timeout than 500 ms. Its leases last for at least one and a half of
     * it, in whole seconds.
     */
    public static EtcdServer start(Duration electionTimeout) {
        return started(() -> new EtcdServer(Tls.NONE, electionTimeout), 1);
    }

    /** Starts a cluster of this many members, and waits until each of them answers. */
    public static EtcdServer startCluster(int size) {
        return startCluster(size, Tls.NONE);
    }

    private static EtcdServer startCluster(int size, Tls tls) {
        return started(() -> new EtcdServer(tls, ELECTION_TIMEOUT), size);
    }

    /**
     * Returns the single member that all tests of this JVM may share, started at the first call, closed when the JVM
     * ends. A test that pauses or stops it disturbs the others.
     */
    public static EtcdServer shared() {
        return Shared.SERVER;
    }

    @Override
    List<ServerLife.Kind> kinds(int size) {
        List<Integer> peerPorts =
                IntStream.range(0, size).map(i -> FreePort.next()).boxed().toList();
        // A member of another cluster may know one of these ports. The token keeps it out of this cluster.
        token = "baton-" + ProcessHandle.current().pid() + "-" + peerPorts.get(0);
        cluster = IntStream.range(0, size)
                .mapToObj(i -> memberName(i) + "=" + uri(peerPorts.get(i)))
                .collect(Collectors.joining(","));
        return IntStream.range(0, size)
                .<ServerLife.Kind>mapToObj(i -> new Etcd(memberName(i), peerPorts.get(i)))
                .toList();
    }

    private static String memberName(int member) {
        return "member-" + member;
    }

    private static String uri(int port) {
        return "http://127.0.0.1:" + port;
    }

    private String clientUri(int port) {
        return (tls == Tls.NONE ? "http" : "https") + "://127.0.0.1:" + port;
    }

    /**
     * Returns the file with the server's certificate as PEM, for clients to trust; they may also show it as their own.
     */
    public Path certificate() {
        return life(0).directory().resolve(CERTIFICATE);
    }

    /** Returns the file with the certificate's key as PEM. */
    public Path key() {
        return life(0).directory().resolve(KEY);
    }

    private static Path data(Path directory) {
        return directory.resolve("data");
    }

    /** Returns the directory of a member's data. */
    public Path data(int member) {
        return data(life(member).directory());
    }

    /** Returns a member's client port. It is the same after a restart. */
    public int port(int member) {
        return life(member).port();
    }

    /** Returns the process ID of a member. */
    public long pid(int member) {
        return life(member).pid();
    }

    @Override
    boolean isLeader(int member) throws IOException {
        String status = post(port(member), "/v3/maintenance/status", "{}", LOOK_LIMIT);
        Matcher self = MEMBER.matcher(status);
        Matcher leader = LEADER.matcher(status);
        return self.find() && leader.find() && self.group(1).equals(leader.group(1));
    }

    private String get(int port, String path) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(clientUri(port) + path))
                .timeout(LOOK_LIMIT)
                .GET());
    }

    private String post(int port, String path, String body, Duration limit) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(clientUri(port) + path))
                .timeout(limit)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private String send(HttpRequest.Builder request) throws IOException {
        try {
            return sendOnce(request);
        } catch (HttpTimeoutException silent) {
            throw silent;
        } catch (IOException broken) {
            // The client may have kept a connection to a server that was killed since; each request may be sent twice.
            return sendOnce(request);
        }
    }

    private String sendOnce(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != OK) {
                throw new IOException("HTTP status " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while etcd was asked", e);
        }
    }

    /**
     * Asks a member through its JSON gateway.
     *
     * @param member which one
     * @param path such as {@code /v3/kv/range}
     * @param body the request as JSON
     * @return the answer as JSON
     * @throws UncheckedIOException if there is no answer, or it is an error
     */
    public String ask(int member, String path, String body) {
        try {
            return post(port(member), path, body, ANSWER_LIMIT);
        } catch (IOException e) {
            throw new UncheckedIOException("etcd on port " + port(member) + ": " + e.getMessage(), e);
        }
    }
}
