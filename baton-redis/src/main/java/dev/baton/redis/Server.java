package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.HostAndPort;

/** A server's own description, {@code INFO}, and whether it can keep locks. */
final class Server {
    /** Why Baton cannot do without INFO. */
    private static final String USE_OF_INFO =
            "by which Baton sees whether the server may have forgotten locks, and whether it is fit for them at all";

    private static final int[] LEAST_VERSION = {6, 2};

    /** Since then there are channels that belong to slots. */
    private static final int[] LEAST_IN_CLUSTER = {7, 0};

    private static final String UNKNOWN = "not said";
    private static final String REPLICA = "slave";

    private final Map<String, String> info;
    private final String target;

    private Server(Map<String, String> info, String target) {
        this.info = info;
        this.target = target;
    }

    static Server of(String info, String target) {
        Map<String, String> fields = new HashMap<>();
        for (String line : info.split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return new Server(fields, target);
    }

    /** Returns the failure for a server that does not answer INFO. */
    static StoreFailure withoutInfo(StoreFailure refused, String target) {
        String said = String.valueOf(refused.getMessage());
        String why = said.contains("NOPERM")
                ? "the user of Redis at " + target + " may not run INFO, " + USE_OF_INFO + ": give it +info"
                : said.contains("unknown command")
                        ? "Redis at " + target + " has no INFO, " + USE_OF_INFO
                                + ": remove the rename-command of INFO from its configuration"
                        : null;
        return why == null
                ? refused
                : new StoreFailure(refused.effect(), refused.reason(), why + " (" + said + ')', refused);
    }

    private String field(String name) {
        return info.getOrDefault(name, "");
    }

    /** Returns a field that managed servers may hide. */
    private String said(String name) {
        return info.getOrDefault(name, UNKNOWN);
    }

    String runId() {
        return field("run_id");
    }

    String role() {
        return field("role");
    }

    String replicationId() {
        return field("master_replid");
    }

    /**
     * A replica, as its primary sees it.
     *
     * @param at where it is
     * @param state {@code online} if it follows
     * @param lagSeconds how long ago it last said how far it is
     */
    record Replica(HostAndPort at, String state, String lagSeconds) {
        String words() {
            return Hosts.shown(at) + ' ' + state + ", lag " + lagSeconds + " s";
        }
    }

    /** Returns the replicas that follow it. */
    List<Replica> replicas() {
        List<Replica> replicas = new ArrayList<>();
        for (int i = 0; info.containsKey(REPLICA + i); i++) {
            Map<String, String> words = new HashMap<>();
            for (String pair : field(REPLICA + i).split(",", -1)) {
                int equals = pair.indexOf('=');
                words.put(pair.substring(0, Math.max(0, equals)), pair.substring(equals + 1));
            }
            String port = words.getOrDefault("port", "");
            HostAndPort at = new HostAndPort(
                    words.getOrDefault("ip", ""), port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0);
            String state = words.getOrDefault("state", UNKNOWN);
            if (state.equals("online")) {
                replicas.add(new Replica(at, state, words.getOrDefault("lag", UNKNOWN)));
            }
        }
        return replicas;
    }

    /** Returns whether it refuses writes if it has too few replicas: it counts good ones only then. */
    boolean refusesWithoutReplicas() {
        return info.containsKey("min_slaves_good_slaves");
    }

    boolean isSentinel() {
        return mode().equals("sentinel");
    }

    /** Valkey 9 says it in a field of its own, unless it was told to look like Redis. */
    private String mode() {
        return info.getOrDefault("redis_mode", field("server_mode"));
    }

    /** Returns the identities of this process and of its data: both change when a replica takes over. */
    String history() {
        return runId() + ' ' + replicationId();
    }

    boolean isReplica() {
        return role().equals(REPLICA);
    }

    boolean isInCluster() {
        return mode().equals("cluster");
    }

    /** Refuses a server outside clusters on which locks cannot work. */
    void require() throws StoreFailure {
        requireDataServer();
        if (isInCluster()) {
            throw refused("is a node of a cluster: write redis+cluster://HOST:PORT,HOST:PORT with some of its nodes");
        }
        requirePrimary();
    }

    /** Refuses a server that is not a node of a cluster. */
    void requireInCluster() throws StoreFailure {
        requireDataServer();
        if (!isInCluster()) {
            throw refused("is not a node of a cluster: write redis://HOST:PORT for a server alone, or"
                    + " redis+sentinel://HOST:PORT,HOST:PORT/NAME for servers that sentinels watch");
        }
        if (isOlder(LEAST_IN_CLUSTER)) {
            throw refused("is a node of a cluster with Redis " + version()
                    + ", and Baton needs 7.0 or later there: update" + " all nodes");
        }
    }

    private void requireDataServer() throws StoreFailure {
        if (isSentinel()) {
            throw refused("is a sentinel, which keeps no data: write redis+sentinel://HOST:PORT,HOST:PORT/NAME, with"
                    + " all sentinels and the name under which they watch the servers");
        }
        if (runId().length() != Answer.RUN_ID_LENGTH) {
            throw refused("does not say in INFO which process it is (run_id), " + USE_OF_INFO
                    + ": a proxy or a managed service may hide that; connect to the server itself, or use another one");
        }
        if (isOlder(LEAST_VERSION)) {
            throw refused("is Redis " + version() + ", and Baton needs 6.2 or later: update it");
        }
    }

    void requirePrimary() throws StoreFailure {
        if (!role().equals("master")) {
            throw refused("is a replica, where nothing can be written: connect to its primary, " + field("master_host")
                    + ':' + field("master_port") + ", or to the sentinels that watch both (redis+sentinel://)");
        }
        if (field("loading").equals("1")) {
            throw refused(Reason.UNREACHABLE, "is still loading its data: try again in a moment");
        }
    }

    /** Returns the risky settings, each with its consequence and the remedy. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        String policy = field("maxmemory_policy");
        if (!policy.isEmpty()
                && !policy.equals("noeviction")
                && !field("maxmemory").equals("0")) {
            warnings.add("Redis at " + target + " has maxmemory-policy " + policy + ": it may remove a lock that is"
                    + " held when memory runs short, and two would hold it; set maxmemory-policy noeviction, or keep"
                    + " locks on a server of their own");
        }
        if (field("aof_enabled").equals("0")) {
            warnings.add("Redis at " + target + " has appendonly no: a restart forgets who holds what, and two may"
                    + " hold the same lock until the first notices; set appendonly yes (and appendfsync always, if"
                    + " nothing may be forgotten)");
        }
        if (!replicas().isEmpty() && !refusesWithoutReplicas()) {
            warnings.add("Redis at " + target
                    + " has replicas and min-replicas-to-write 0: if a replica is promoted and this"
                    + " server lives on, both grant locks until it is told of its demotion; set min-replicas-to-write 1 and"
                    + " a small min-replicas-max-lag on all servers");
        }
        return warnings;
    }

    private String version() {
        return field("redis_version");
    }

    /** Returns the product; a Valkey reports a compatible Redis version, and its own version beside it. */
    private String product() {
        String valkey = field("valkey_version");
        return valkey.isEmpty() ? "Redis " + version() : "Valkey " + valkey + " (as Redis " + version() + ')';
    }

    /**
     * Returns the facts that decide whether locks are safe there.
     *
     * @param fsync how often the append-only file is written to the disk; empty if the server does not show it
     * @param unread why it does not
     */
    Map<String, String> facts(String fsync, String unread) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("version", product());
        facts.put("address", target);
        facts.put("role", role().equals("master") ? "primary, replicas: " + said("connected_slaves") : role());
        facts.put("persistence", persistence(fsync, unread));
        String limit = said("maxmemory");
        facts.put(
                "eviction",
                "maxmemory-policy " + said("maxmemory_policy") + ", maxmemory "
                        + (limit.equals("0") ? "0 (no limit)" : limit + " bytes"));
        facts.put("up for", said("uptime_in_seconds") + " s");
        facts.put("clients", said("connected_clients"));
        return facts;
    }

    /** Returns what a restart forgets, as far as the server says it without a right to read settings. */
    String persistence() {
        return field("aof_enabled").equals("1") ? "appendonly yes" : persistence("", "");
    }

    private String persistence(String fsync, String unread) {
        if (!field("aof_enabled").equals("1")) {
            return field("aof_enabled").isEmpty() ? UNKNOWN : "appendonly no: a restart forgets locks";
        }
        return switch (fsync) {
            case "always" -> "appendonly yes, appendfsync always: a restart forgets nothing";
            case "everysec" -> "appendonly yes, appendfsync everysec: a crash may forget the last second";
            case "" -> "appendonly yes (appendfsync " + unread + ')';
            default -> "appendonly yes, appendfsync " + fsync + ": a crash of the machine may forget the last seconds";
        };
    }

    private boolean isOlder(int[] least) {
        String[] parts = field("redis_version").split("\\.", -1);
        for (int i = 0; i < least.length; i++) {
            int part = i < parts.length && parts[i].matches("\\d{1,9}") ? Integer.parseInt(parts[i]) : 0;
            if (part != least[i]) {
                return part < least[i];
            }
        }
        return false;
    }

    private StoreFailure refused(String why) {
        return refused(Reason.UNFIT, why);
    }

    private StoreFailure refused(Reason reason, String why) {
        return new StoreFailure(Effect.NONE, reason, "the server at " + target + ' ' + why, null);
    }
}
