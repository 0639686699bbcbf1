package dev.baton.chaos.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Why a store cannot have a fault. */
final class Reasons {
    /**
     * One reason.
     *
     * @param fault the name of a fault, or the beginning of several such as {@code wire}
     * @param stores that cannot have it, separated by spaces
     * @param sentence why
     */
    record Reason(String fault, String stores, String sentence) {
        boolean isFor(String store, String id) {
            return (id.equals(fault) || id.startsWith(fault + "-"))
                    && Arrays.asList(stores.split(" ", -1)).contains(store);
        }
    }

    private static final String FILE = "sqlite";
    private static final String POLLED = "mariadb mysql h2 h2-durable";
    private static final String SQL = "postgresql " + POLLED;
    private static final String REDIS = "redis redis-durable";
    private static final String SENTINEL = "redis-sentinel";
    private static final String ZOOKEEPER = "zookeeper zookeeper-ensemble";
    private static final String ETCD = "etcd etcd-cluster";
    private static final String MEMCACHED = "memcached";
    private static final String ENSEMBLES = "zookeeper-ensemble etcd-cluster";
    private static final String ALONE = words(REDIS, SQL, FILE, "zookeeper", "etcd", MEMCACHED);
    private static final String OTHERS = words(ALONE, ENSEMBLES);
    private static final String EVERY = words(OTHERS, SENTINEL);

    private static final String POLLS = "Its clients poll: there is no subscription.";
    private static final String NO_DATA = "It keeps no data: server-kill makes it forget everything.";
    private static final String OLD_DATA = "server-restart-old-data";
    private static final String SUBSCRIPTIONS = "subscriptions-kill";

    private static final List<Reason> ALL = Stream.of(
                    ofNetworks(), ofClocks(), ofServers(), ofSessions(), ofData(), ofMembers(), ofReplicas())
            .flatMap(List::stream)
            .toList();

    private Reasons() {}

    private static String words(String... words) {
        return String.join(" ", words);
    }

    private static List<Reason> ofNetworks() {
        return List.of(
                new Reason("wire", FILE, "The clients open the file themselves, so no network lies between."),
                new Reason(
                        "wire",
                        words(ENSEMBLES, SENTINEL),
                        "The clients know all members, so no single network lies between."));
    }

    private static List<Reason> ofClocks() {
        String own = "The clients and the server have clocks of their own: see client-clock-step";
        return List.of(
                new Reason(
                        "client-clock-step",
                        FILE,
                        "The clients' machine has one clock, by which the store ends leases, too: see machine-clock-back."),
                new Reason("machine-clock", REDIS, own + " and server-clock-back."),
                new Reason("machine-clock", words(SENTINEL, SQL, ZOOKEEPER, ETCD, MEMCACHED), own + '.'),
                new Reason(
                        "server-clock",
                        words(SENTINEL, SQL),
                        "Its server is not started with a clock that can be set: only the simulator sets its clock."),
                new Reason(
                        "server-clock",
                        words(ZOOKEEPER, ETCD, MEMCACHED),
                        "It counts the time of leases by its monotonic clock."));
    }

    private static List<Reason> ofServers() {
        return List.of(
                new Reason("server", FILE, "There is no server: the clients write the file themselves."),
                new Reason("server-pause", ENSEMBLES, "The members fail one by one: see leader-pause."),
                new Reason("server-kill", ENSEMBLES, "The members fail one by one: see leader-kill and member-kill."),
                new Reason("server-pause", SENTINEL, "Its servers fail one by one: see primary-freeze."),
                new Reason("server-kill", SENTINEL, "Its servers fail one by one: see failover and restart-empty."),
                new Reason(OLD_DATA, words("redis", MEMCACHED), NO_DATA),
                new Reason(
                        OLD_DATA, SENTINEL, "Its replicas have the data of some time before: see failover-lost-tail."),
                new Reason(
                        OLD_DATA,
                        ZOOKEEPER,
                        "Its tokens are numbers of transactions, which older data sets back: Order is not promised."),
                new Reason(
                        OLD_DATA,
                        ETCD,
                        "Its tokens are revisions, which grow on only after a restore that bumps them."),
                new Reason(
                        "disk-full",
                        EVERY,
                        "It needs a file system of its own, which only the system's administrator can make."));
    }

    private static List<Reason> ofSessions() {
        return List.of(
                new Reason("sessions-kill", FILE, "There is no server, and so no session."),
                new Reason(
                        "sessions-kill", MEMCACHED, "It has no command that ends a client's connection: see wire-cut."),
                new Reason(SUBSCRIPTIONS, "postgresql", "Its notifications come over sessions: see sessions-kill."),
                new Reason(SUBSCRIPTIONS, words(POLLED, FILE, MEMCACHED), POLLS),
                new Reason(SUBSCRIPTIONS, ZOOKEEPER, "Its watches belong to sessions: see sessions-kill."),
                new Reason(SUBSCRIPTIONS, ETCD, "Its watches belong to connections: see wire-cut and leader-kill."));
    }

    private static List<Reason> ofData() {
        return List.of(
                new Reason("scripts-flush", words(SQL, FILE, ZOOKEEPER, ETCD, MEMCACHED), "It keeps no scripts."),
                new Reason(
                        "items-flushed",
                        words(SQL, FILE, ZOOKEEPER, ETCD),
                        "It has no command that deletes everything; rows and keys go one by one."),
                new Reason("memory-full", MEMCACHED, "It evicts instead of refusing: see items-flushed."),
                new Reason(
                        "memory-full",
                        words(SQL, FILE, ZOOKEEPER, ETCD),
                        "It has no limit on memory that can be set while it works."),
                new Reason("rows-pinned", FILE, "It locks the whole file: see client-pause, which may stop a writer."),
                new Reason(
                        "rows-pinned",
                        words(REDIS, SENTINEL, ZOOKEEPER, ETCD, MEMCACHED),
                        "It has no transactions that wait for each other."),
                new Reason(
                        "history-compacted",
                        words(REDIS, SENTINEL, SQL, FILE, ZOOKEEPER, MEMCACHED),
                        "It keeps no history that clients read."));
    }

    private static List<Reason> ofMembers() {
        return List.of(
                new Reason("leader", SENTINEL, "Sentinel chooses the primary: see failover and primary-freeze."),
                new Reason("member", SENTINEL, "A replica that dies is none of the clients' servers: see failover."),
                new Reason("leader", ALONE, "It is one server, so there is no leader."),
                new Reason("member", ALONE, "It is one server, so there is no other member."));
    }

    private static List<Reason> ofReplicas() {
        List<Reason> reasons = new ArrayList<>();
        for (String fault : List.of("failover", "switch-over", "primary-freeze", "failback")) {
            reasons.add(new Reason(fault, ALONE, "It is one server, so there is no replica."));
            reasons.add(new Reason(
                    fault,
                    ENSEMBLES,
                    "Its members lose nothing that a majority has: see leader-pause and leader-kill."));
        }
        reasons.add(new Reason("restart-empty", words("redis", MEMCACHED), NO_DATA));
        reasons.add(new Reason(
                "restart-empty",
                words("redis-durable", SQL, FILE, ZOOKEEPER, ETCD),
                "It keeps its data on the disk: an empty one is another store."));
        reasons.add(new Reason("bucket-deleted", REDIS, "It is the same code as behind Sentinel: see redis-sentinel."));
        reasons.add(new Reason(
                "bucket-deleted", words(SQL, FILE, ZOOKEEPER, ETCD, MEMCACHED), "It keeps no key for a bucket."));
        return reasons;
    }

    /** Returns all of them. */
    static List<Reason> all() {
        return ALL;
    }
}
