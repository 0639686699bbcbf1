package dev.baton.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The servers of which some replicate others: what {@link RedisSentinels} and {@link RedisCluster} do with theirs. For one
 * thread at a time, except that any may look at them when all are added.
 */
final class RedisMembers implements AutoCloseable {
    /** How long it may take, while other builds use the processors, until all is well. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    static final int ANSWER_LIMIT_MILLIS = 1_000;

    private static final Duration ARRIVAL_LIMIT = Duration.ofSeconds(1);
    private static final String REPLICATION = "replication";

    /** A line for one replica in what its primary says. */
    private static final Pattern REPLICA = Pattern.compile("ip=[^,]*,port=(\\d+),state=(\\w+),.*");

    private final List<RedisServer> members = new ArrayList<>();

    /** How servers of a set differ from the defaults of {@link RedisServer}. Not thread-safe. */
    static final class Settings {
        private final List<String> users = new ArrayList<>();
        private final List<Map.Entry<String, String>> config = new ArrayList<>();
        private boolean tls;

        void tls() {
            tls = true;
        }

        boolean isTls() {
            return tls;
        }

        void config(String directive, String value) {
            config.add(Map.entry(directive, value));
        }

        void aclUser(String line) {
            users.add(line);
        }

        /** Returns a builder for the next server. */
        RedisServer.Builder server() {
            RedisServer.Builder server = RedisServer.builder();
            users.forEach(server::aclUser);
            config.forEach(line -> server.config(line.getKey(), line.getValue()));
            return tls ? server.tls() : server;
        }
    }

    /** A question to a server. */
    interface Question {
        Object ask(RedisServer server) throws IOException;
    }

    void add(RedisServer member) {
        members.add(member);
    }

    /** Returns all, running or not. */
    List<RedisServer> all() {
        return List.copyOf(members);
    }

    RedisServer first() {
        return members.get(0);
    }

    /** Returns those that do not run. */
    List<RedisServer> missing() {
        return members.stream().filter(member -> !member.isRunning()).toList();
    }

    /** Returns those with these ports, in the order of all. */
    List<RedisServer> withPorts(Set<Integer> ports) {
        return members.stream().filter(member -> ports.contains(member.port())).toList();
    }

    RedisServer withPort(int port) {
        return members.stream()
                .filter(member -> member.port() == port)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("port " + port + " is not of " + told()));
    }

    /** Returns the servers' addresses with commas between them. */
    static String addresses(List<RedisServer> servers) {
        return servers.stream()
                .map(server -> server.host() + ":" + server.port())
                .collect(Collectors.joining(","));
    }

    static boolean isPrimary(RedisServer member) throws IOException {
        return "master".equals(replication(member).get("role"));
    }

    /** Returns whether these are the replicas of a primary, and have its data. */
    static boolean haveCaughtUp(List<RedisServer> replicas, RedisServer primary) throws IOException {
        for (RedisServer replica : replicas) {
            if (!isLinked(replication(replica))) {
                return false;
            }
        }
        return online(primary) == replicas.size();
    }

    private static boolean isLinked(Map<String, String> replication) {
        return "up".equals(replication.get("master_link_status"));
    }

    /** Returns how many replicas have caught up with their primary. */
    static long online(RedisServer primary) throws IOException {
        return replicas(replication(primary)).stream()
                .filter(replica -> replica.group(2).equals("online"))
                .count();
    }

    private static Map<String, String> replication(RedisServer member) throws IOException {
        return member.section(ANSWER_LIMIT_MILLIS, REPLICATION);
    }

    private static List<MatchResult> replicas(Map<String, String> replication) {
        return replication.values().stream()
                .flatMap(value -> REPLICA.matcher(value).results())
                .toList();
    }

    /**
     * From now on the replicas receive nothing from the primary, although its clients go on: when it dies, all later
     * writes are lost. All earlier ones have arrived.
     */
    void loseTail(RedisServer primary) {
        awaitReplicas(primary);
        // One that may not PSYNC asks again at once and for ever. One that may not log in asks once a second.
        primary.command("ACL", "SETUSER", RedisServer.REPLICA_USER, "off");
        primary.command("CLIENT", "KILL", "TYPE", "replica");
        Await.until(
                "the primary has no replica",
                LIMIT,
                () -> replicas(replication(primary)).isEmpty(),
                this::told);
    }

    /**
     * Waits until each connected replica has all writes so far. The offsets of all are compared, because {@code WAIT} is
     * for the writes of its own connection, and a node of a cluster takes none if it serves no slot.
     *
     * @throws IllegalStateException if a replica takes longer than a second
     */
    void awaitReplicas(RedisServer primary) {
        Map<String, String> told = primary.info(REPLICATION);
        long written = offset(told, "master_repl_offset");
        List<RedisServer> replicas = replicas(told).stream()
                .map(replica -> withPort(Integer.parseInt(replica.group(1))))
                .toList();
        Await.until(
                "all replicas have all writes of the primary on port " + primary.port(),
                ARRIVAL_LIMIT,
                () -> haveArrived(written, replicas),
                this::told);
    }

    private static boolean haveArrived(long written, List<RedisServer> replicas) throws IOException {
        for (RedisServer replica : replicas) {
            Map<String, String> told = replication(replica);
            if (!isLinked(told) || offset(told, "slave_repl_offset") < written) {
                return false;
            }
        }
        return true;
    }

    private static long offset(Map<String, String> replication, String name) {
        return Long.parseLong(replication.getOrDefault(name, "0"));
    }

    /** Lets replicas follow again after {@link #loseTail}: all members that run. A start does the same. */
    void keepTail() {
        for (RedisServer member : members) {
            if (member.isRunning()) {
                member.command("ACL", "SETUSER", RedisServer.REPLICA_USER, "on");
            }
        }
    }

    /** Returns what members say of replication, with a line for each. */
    String told() {
        return told("member", members, RedisMembers::replication);
    }

    /** Returns what servers answer to a question, with a line for each. */
    static String told(String kind, List<RedisServer> servers, Question question) {
        return servers.stream()
                .map(server -> "\n  " + kind + " " + server.port() + ": " + told(server, question))
                .collect(Collectors.joining());
    }

    private static String told(RedisServer server, Question question) {
        try {
            return question.ask(server).toString();
        } catch (IOException | UncheckedIOException | RedisErrorReply silent) {
            return silent.toString();
        }
    }

    @Override
    public void close() {
        members.forEach(RedisServer::close);
    }
}
