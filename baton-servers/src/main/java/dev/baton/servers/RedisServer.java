package dev.baton.servers;

import dev.baton.servers.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A Redis for one test, which can pause, kill and restart it: a process that listens on a free loopback port. It has
 * its own directory, which is deleted when it is closed. Its log is in {@code target/servers}. Closed at the latest
 * when this JVM ends.
 *
 * <p>The program comes from the class path (Redis 7.0.15 for Linux and macOS); the system property
 * {@code baton.redis.server} names another one, of Redis 6 or newer. Every server has an ACL user {@code baton-tck} for
 * the methods that ask the server, and {@code baton-replica} for its replicas. Each method that asks opens its own
 * connection, so its cost includes an {@code AUTH}.
 *
 * <p>The methods that ask the server are thread-safe; the methods that pause, stop and start it are for one thread at a
 * time.
 */
public final class RedisServer extends ProcessServer {
    /** The user of this kit, which may do everything on each server, and its password. */
    static final String KIT_USER = "baton-tck";

    /** The user as which replicas authenticate at their primary, and its password. */
    static final String REPLICA_USER = "baton-replica";

    private static final int PING_LIMIT_MILLIS = 2_000;
    private static final int ANSWER_LIMIT_MILLIS = 10_000;
    private static final int MICROS_DIGITS = 6;
    private static final Duration SYNC_LIMIT = Duration.ofSeconds(60);
    private static final String REPLICA_OF = "replicaof ";

    /** How far the port on which nodes of a cluster speak to each other is above that for clients. */
    private static final int BUS = 10_000;

    /** The server that tests share. */
    private static final class Shared {
        private static final RedisServer SERVER = start();
    }

    /** The command that starts Redis, and the check whether it is up. */
    private final class Redis implements ServerLife.Kind {
        @Override
        public String name() {
            return "Redis";
        }

        @Override
        public int freePort() {
            return clusterNode ? FreePort.next(BUS) : FreePort.next();
        }

        @Override
        public List<String> command(Path directory, int port) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(program.path().toString());
            command.add(writeConfig(directory, port).toString());
            command.addAll(arguments);
            return command;
        }

        @Override
        public Map<String, String> environment() {
            return environment;
        }

        /** Returns whether this process answers on the port, and not an earlier one. */
        @Override
        public boolean answers(long pid, int port) throws IOException {
            return Objects.equals(ask(PING_LIMIT_MILLIS, "PING"), "PONG")
                    && Long.toString(pid)
                            .equals(section(PING_LIMIT_MILLIS, "server").get("process_id"));
        }

        @Override
        public String portTaken() {
            return "Failed listening on port";
        }
    }

    private final RedisProgram program;
    private final Map<String, String> environment;
    private final List<String> config;
    private final List<String> arguments;
    private final boolean clusterNode;
    private final @Nullable SSLContext tls;
    private final ServerLife life = new ServerLife(new Redis());

    /** The port in the file with the configuration; 0 if there is no file yet. */
    private int configuredPort;

    private RedisServer(Builder builder) {
        this.program = builder.program;
        this.environment = new HashMap<>(builder.program.environment());
        this.environment.putAll(builder.environment);
        this.config = List.copyOf(builder.allLines());
        this.arguments = List.copyOf(builder.arguments);
        this.clusterNode = builder.clusterNode;
        this.tls = builder.tls ? ServerCertificate.get().trust() : null;
    }

    /** Starts a server with the defaults: no persistence, no password, no TLS. */
    public static RedisServer start() {
        return builder().start();
    }

    /** Returns a builder for a server that differs from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the server that all tests of this JVM may share: with the defaults, started at the first call, closed
     * when the JVM ends. A test that pauses or stops it disturbs the others.
     */
    public static RedisServer shared() {
        return Shared.SERVER;
    }

    /** The differences from the defaults. Not thread-safe. */
    public static final class Builder {
        private final List<String> lines = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private final List<String> arguments = new ArrayList<>();
        private RedisProgram program = RedisProgram.get();
        private @Nullable RedisServer primary;
        private boolean clusterNode;
        private boolean tls;

        private Builder() {
            lines.addAll(List.of(
                    "bind 127.0.0.1",
                    "protected-mode no",
                    "daemonize no",
                    "loglevel notice",
                    "save \"\"",
                    "appendonly no",
                    // Each server can become a replica, or get replicas. With the default, the first one waits for 5 s.
                    "repl-diskless-sync-delay 0",
                    "masteruser " + REPLICA_USER,
                    "masterauth " + REPLICA_USER));
        }

        private List<String> allLines() {
            boolean modern = program.major() >= RedisProgram.UNPACKED_MAJOR;
            List<String> all = new ArrayList<>(lines);
            if (modern) {
                all.add("enable-debug-command local");
            }
            all.add(user(KIT_USER, "allkeys +@all" + (modern ? " allchannels" : "")));
            all.add(user(REPLICA_USER, "+@all"));
            return all;
        }

        /**
         * Takes the system's program if no property names one: from the {@code PATH}, or else Debian's package, unpacked
         * into the user's cache. It is linked with the system's C library, and the program of the class path is not.
         */
        public Builder ofSystem() {
            program = RedisProgram.ofSystem();
            return this;
        }

        /** Adds variables to the environment of its process. */
        public Builder environment(Map<String, String> variables) {
            environment.putAll(variables);
            return this;
        }

        /**
         * Adds a line of {@code redis.conf}. Most directives replace an earlier one of the same name.
         *
         * @param directive its name
         * @param value as in the file; empty stands for {@code ""}
         */
        public Builder config(String directive, String value) {
            lines.add(directive + " " + (value.isEmpty() ? "\"\"" : value));
            return this;
        }

        /** Requires a password from all clients. */
        public Builder password(String password) {
            return config("requirepass", '"' + password.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
        }

        /** Adds an ACL user, such as {@code user baton on >secret ~baton:* +@all}. */
        public Builder aclUser(String line) {
            lines.add(line);
            return this;
        }

        /** Accepts only TLS; see {@link RedisServer#sslContext}. */
        public Builder tls() {
            tls = true;
            return this;
        }

        /** Makes the server write every command to the disk before it answers. */
        public Builder appendOnly() {
            return config("appendonly", "yes").config("appendfsync", "always");
        }

        /**
         * Makes it a replica of another server. Both must be with TLS, or both without. It has the primary's data when
         * {@link #start} returns.
         *
         * @param primary a server that runs
         */
        public Builder replicaOf(RedisServer primary) {
            this.primary = primary;
            lines.add(following(primary));
            return this;
        }

        /** Makes it a node of a cluster, for now the only one. */
        Builder clusterNode() {
            clusterNode = true;
            return config("cluster-enabled", "yes");
        }

        /** Adds an argument to the command that starts it. */
        Builder argument(String argument) {
            arguments.add(argument);
            return this;
        }

        /** Starts the server, and waits until it answers. */
        public RedisServer start() {
            RedisServer server = new RedisServer(this);
            server.life.startOnFreePort();
            if (primary != null) {
                server.awaitSync();
            }
            return server;
        }
    }

    private static String user(String name, String rights) {
        return "user " + name + " on >" + name + " " + rights;
    }

    private static String following(RedisServer primary) {
        return REPLICA_OF + "127.0.0.1 " + primary.port();
    }

    private void awaitSync() {
        try {
            Await.until(
                    "the replica on port " + port() + " has its primary's data",
                    SYNC_LIMIT,
                    () -> "up".equals(section(PING_LIMIT_MILLIS, "replication").get("master_link_status")),
                    () -> String.valueOf(info("replication")));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Writes the file with the configuration at the first start. Later the file is the server's: Sentinel makes a server
     * write there whose replica it is. Only the users of this kit are as they were.
     */
    private Path writeConfig(Path directory, int port) throws IOException {
        Path file = configFile();
        if (configuredPort != port || !Files.exists(file)) {
            configuredPort = port;
            return Files.write(file, newConfig(directory, port));
        }
        for (String user : List.of(KIT_USER, REPLICA_USER)) {
            String beginning = "user " + user + " ";
            replaceLines(
                    beginning,
                    config.stream().filter(line -> line.startsWith(beginning)).toList());
        }
        return file;
    }

    private Path configFile() {
        return life.directory().resolve("redis.conf");
    }

    /** Replaces the lines with this beginning. */
    private void replaceLines(String beginning, List<String> others) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(configFile()));
        lines.removeIf(each -> each.startsWith(beginning));
        lines.addAll(others);
        Files.write(configFile(), lines);
    }

    /** Kills the server if it runs, and starts it with its data as a replica of another one. */
    void restartAsReplicaOf(RedisServer primary) {
        kill();
        try {
            replaceLines(REPLICA_OF, List.of(following(primary)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart();
    }

    private List<String> newConfig(Path directory, int port) throws IOException {
        List<String> lines = new ArrayList<>(config);
        lines.add("dir " + directory);
        lines.add("port " + (tls == null ? port : 0));
        if (tls != null) {
            Path key = directory.resolve("server.key");
            ServerCertificate.get().writeKey(key);
            ServerCertificate.get().writeCertificate(certificateFile());
            lines.add("tls-port " + port);
            lines.add("tls-key-file " + key);
            lines.add("tls-cert-file " + certificateFile());
            lines.add("tls-ca-cert-file " + certificateFile());
            lines.add("tls-auth-clients no");
            lines.add("tls-replication yes");
        }
        return lines;
    }

    private Path certificateFile() {
        return life.directory().resolve("server.crt");
    }

    /**
     * Returns the host name to connect to: {@code 127.0.0.1}, or {@code localhost} with TLS. Its certificate is for
     * both.
     */
    public String host() {
        return tls == null ? "127.0.0.1" : "localhost";
    }

    @Override
    ServerLife life() {
        return life;
    }

    /** Returns {@code redis://127.0.0.1:port}, or {@code rediss://localhost:port} with TLS. */
    @Override
    public String uri() {
        return (tls == null ? "redis://" : "rediss://") + host() + ":" + port();
    }

    /** Returns an SSL context that trusts only this server's certificate. */
    public SSLContext sslContext() {
        return requireTls(tls);
    }

    /** Returns the file with this server's certificate as PEM, for other processes to trust. */
    public Path certificate() {
        requireTls(tls);
        return certificateFile();
    }

    private static SSLContext requireTls(@Nullable SSLContext context) {
        if (context == null) {
            throw new IllegalStateException("this server has no TLS: build it with tls()");
        }
        return context;
    }

    /** Returns whether its process runs, paused or not. */
    boolean isRunning() {
        return life.isRunning();
    }

    /** Returns whether its process runs and is not paused. */
    boolean isAwake() {
        return life.isAwake();
    }

    /** Sends SIGTERM, and waits until the process has ended. */
    public void stop() {
        life.stop();
    }

    /**
     * Sends one command, as a user with all permissions, and waits for the answer.
     *
     * @param words the command and its arguments
     * @return a String, a Long, a List of such, or null
     * @throws RedisErrorReply if the server answers with an error
     * @throws UncheckedIOException if it does not answer
     */
    public @Nullable Object command(String... words) {
        try {
            return ask(ANSWER_LIMIT_MILLIS, words);
        } catch (IOException e) {
            throw new UncheckedIOException("Redis on port " + port() + ": " + e.getMessage(), e);
        }
    }

    /** Sends one command, and waits for its answer, and not longer than this for each of its steps. */
    @Nullable
    Object ask(int limitMillis, String... words) throws IOException {
        try (RespConnection connection = connect(limitMillis)) {
            return connection.call(words);
        }
    }

    /** Opens a connection of a user with all permissions. */
    RespConnection connect(int limitMillis) throws IOException {
        RespConnection connection = RespConnection.open(host(), port(), tls, limitMillis);
        try {
            connection.call("AUTH", KIT_USER, KIT_USER);
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Returns a section of {@code INFO}, by name. */
    public Map<String, String> info(String section) {
        return parse(command("INFO", section));
    }

    /** Returns a section of {@code INFO}, and waits for it not longer than this. */
    Map<String, String> section(int limitMillis, String section) throws IOException {
        return parse(ask(limitMillis, "INFO", section));
    }

    private static Map<String, String> parse(@Nullable Object info) {
        Map<String, String> values = new LinkedHashMap<>();
        String.valueOf(info)
                .lines()
                .map(line -> line.split(":", 2))
                .filter(pair -> pair.length == 2)
                .forEach(pair -> values.put(pair[0], pair[1]));
        return values;
    }

    /**
     * Returns how often a command was called since the start or {@link #resetStats}, including calls from scripts.
     *
     * @param command its name, such as {@code get} or {@code client|list}
     */
    public long calls(String command) {
        String stat = info("commandstats").getOrDefault("cmdstat_" + command.toLowerCase(Locale.ROOT), "calls=0,");
        return Long.parseLong(stat.substring("calls=".length(), stat.indexOf(',')));
    }

    /** Returns how much processor time the server has used since its start, in microseconds. */
    public long cpuMicros() {
        Map<String, String> cpu = info("cpu");
        BigDecimal user = new BigDecimal(cpu.getOrDefault("used_cpu_user", ""));
        BigDecimal system = new BigDecimal(cpu.getOrDefault("used_cpu_sys", ""));
        return user.add(system).movePointRight(MICROS_DIGITS).longValue();
    }

    /** Resets the counts of calls. */
    public void resetStats() {
        command("CONFIG", "RESETSTAT");
    }
}
