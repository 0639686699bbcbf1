package dev.baton.servers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * A Redis Cluster, for one test: by default three primaries with one replica each. Each is a process, as in
 * {@link RedisServer}, whose program they have too: Redis 6.2 or newer. Each member listens on a second port, 10,000 above
 * the first one, for the others. Closed at the latest when this JVM ends.
 *
 * <p>A test fails over by {@link #killPrimary} or {@link #switchOver}, loses writes by {@link #loseTail} before, and moves
 * slots with their keys, at once by {@link #move} or step by step. A member is frozen and revived by its
 * {@link RedisServer#pause} and {@link RedisServer#resume}, and comes back by {@link #rejoin} after it was killed. It is
 * a replica then: the members keep their configuration of the cluster in files, but no data.
 *
 * <p>Every member has the users of {@link RedisServer}, as which replicas log in and keys are moved. {@link #members},
 * {@link #primaries}, {@link #replicasOf}, {@link #primaryOf} and {@link #uri} are thread-safe; all else is for one thread
 * at a time.
 */
public final class RedisCluster implements AutoCloseable {
    private static final Duration LIMIT = RedisMembers.LIMIT;
    private static final int ANSWER_LIMIT_MILLIS = RedisMembers.ANSWER_LIMIT_MILLIS;
    private static final int DEFAULT_SHARDS = 3;
    private static final int DEFAULT_REPLICAS = 1;
    private static final Duration DEFAULT_NODE_TIMEOUT = Duration.ofSeconds(1);

    /** A replica gives up after 5 s, and does not tell. */
    private static final Duration SWITCH_OVER_LIMIT = Duration.ofSeconds(6);

    private static final int KEYS_AT_ONCE = 100;

    private final boolean tls;
    private final int shards;
    private final int replicas;
    private final RedisMembers members = new RedisMembers();

    private RedisCluster(Builder builder) {
        this.tls = builder.settings.isTls();
        this.shards = builder.shards;
        this.replicas = builder.replicas;
    }

    /** Starts the defaults: three primaries with one replica each, without TLS and passwords. */
    public static RedisCluster start() {
        return builder().start();
    }

    /** Returns a builder for a cluster that differs from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The differences from the defaults. Not thread-safe. */
    public static final class Builder {
        private final RedisMembers.Settings settings = new RedisMembers.Settings();
        private int shards = DEFAULT_SHARDS;
        private int replicas = DEFAULT_REPLICAS;
        private Duration nodeTimeout = DEFAULT_NODE_TIMEOUT;

        private Builder() {}

        /**
         * Sets the number of primaries, among which the slots are divided. Most of them have to agree that one is down:
         * with less than three, none is replaced when it dies.
         */
        public Builder shards(int number) {
            shards = number;
            return this;
        }

        /** Sets the number of replicas of each primary. */
        public Builder replicas(int number) {
            replicas = number;
            return this;
        }

        /** Sets how long a member may be silent before another takes it for dead, instead of 1 s. */
        public Builder nodeTimeout(Duration silence) {
            nodeTimeout = silence;
            return this;
        }

        /**
         * Lets all of them accept and use only TLS, with one certificate, also among each other; see
         * {@link RedisCluster#sslContext}.
         */
        public Builder tls() {
            settings.tls();
            settings.config("tls-cluster", "yes");
            return this;
        }

        /** Adds a line of {@code redis.conf} to all; see {@link RedisServer.Builder#config}. */
        public Builder config(String directive, String value) {
            settings.config(directive, value);
            return this;
        }

        /** Adds an ACL user to all, such as {@code user baton on >secret ~baton:* +@all}. */
        public Builder aclUser(String line) {
            settings.aclUser(line);
            return this;
        }

        /** Starts all, and waits until they know each other, serve all slots, and every replica follows. */
        public RedisCluster start() {
            RedisCluster all = new RedisCluster(this);
            try {
                all.form(this);
                return all;
            } catch (RuntimeException e) {
                all.close();
                throw e;
            }
        }

        private RedisServer.Builder member() {
            return settings.server()
                    .clusterNode()
                    .config("cluster-node-timeout", Long.toString(nodeTimeout.toMillis()))
                    // Otherwise a replica that was cut off for ten times that silence is not promoted any more.
                    .config("cluster-replica-validity-factor", "0")
                    // Otherwise replicas change to primaries that have none, and a test finds others than it expects.
                    .config("cluster-migration-barrier", "1000");
        }
    }

    private void form(Builder builder) {
        int size = shards * (1 + replicas);
        for (int i = 0; i < size; i++) {
            members.add(builder.member().start());
        }
        List<RedisServer> all = members.all();
        for (int i = 0; i < size; i++) {
            // They would need time to notice that several have the same one.
            all.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (int i = 0; i < shards; i++) {
            all.get(i).command(slotsOf(i));
        }
        for (RedisServer other : all.subList(1, size)) {
            all.get(0).command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()));
        }
        await("all know each other", LIMIT, () -> knowAll(views()));
        for (int i = shards; i < size; i++) {
            String primary = String.valueOf(all.get((i - shards) / replicas).command("CLUSTER", "MYID"));
            all.get(i).command("CLUSTER", "REPLICATE", primary);
        }
        awaitComplete(LIMIT);
    }

    /** Returns the command that gives a primary its slots. All versions know it. */
    private String[] slotsOf(int shard) {
        IntStream slots = IntStream.range(shard * HashSlot.COUNT / shards, (shard + 1) * HashSlot.COUNT / shards);
        return Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots.mapToObj(Integer::toString))
                .toArray(String[]::new);
    }

    /** Returns the slot of a key: of the part in its first braces, if there is one. */
    public static int slotOf(String key) {
        return HashSlot.of(key);
    }

    /**
     * Returns the address of the members that have begun as primaries, {@code redis+cluster://127.0.0.1:port,127.0.0.1:port},
     * or the same with {@code rediss+cluster} and {@code localhost} with TLS.
     */
    public String uri() {
        return (tls ? "rediss" : "redis") + "+cluster://"
                + RedisMembers.addresses(members.all().subList(0, shards));
    }

    /** Returns an SSL context that trusts only the certificate of these servers. */
    public SSLContext sslContext() {
        return members.first().sslContext();
    }

    /** Returns all, running or not: those that have begun as primaries, and then their replicas in the same order. */
    public List<RedisServer> members() {
        return members.all();
    }

    /**
     * Returns the members that serve slots, running or not, as most members say; see {@link #primaryOf}.
     *
     * @throws IllegalStateException if no member answers
     */
    public List<RedisServer> primaries() {
        return members.withPorts(common().primaries());
    }

    /**
     * Returns the replicas of a member, running or not, as most members say; none if it is no primary.
     *
     * @throws IllegalStateException if no member answers
     */
    public List<RedisServer> replicasOf(RedisServer primary) {
        return members.withPorts(common().replicasOf(primary.port()));
    }

    /**
     * Returns the primary of a slot, running or not: as most members say of those that answer, and if they are divided, as
     * those say who know the newest configuration.
     *
     * @throws IllegalStateException if no member answers, or the slot has no primary
     */
    public RedisServer primaryOf(int slot) {
        return primaryOf(slot, common())
                .orElseThrow(() -> new IllegalStateException("slot " + slot + " has no primary: " + describe()));
    }

    private Optional<RedisServer> primaryOf(int slot, ClusterView view) {
        return view.primaryOf(slot).map(node -> members.withPort(node.port()));
    }

    /** Returns what most members say, or of several such the newest. */
    private ClusterView common() {
        List<ClusterView> views = views();
        return views.stream()
                .max(Comparator.comparingLong((ClusterView view) -> supporters(view, views))
                        .thenComparingLong(ClusterView::epoch))
                .orElseThrow(() -> new IllegalStateException("no member answers: " + describe()));
    }

    private static long supporters(ClusterView view, List<ClusterView> views) {
        return views.stream().filter(each -> each.roles().equals(view.roles())).count();
    }

    private List<ClusterView> views() {
        List<ClusterView> views = new ArrayList<>();
        for (RedisServer member : members.all()) {
            try {
                if (member.isAwake()) {
                    views.add(ClusterView.of(member));
                }
            } catch (IOException | RedisErrorReply silent) {
                // It is down. The others tell.
            }
        }
        return views;
    }

    /**
     * Waits for the end of a failover: all members that answer agree on another primary of a slot, and serve clients.
     *
     * @param former the primary before
     * @param slot the slot
     * @param limit how long it may take
     * @return the new primary
     * @throws IllegalStateException if it takes longer; the message says what the servers tell
     */
    public RedisServer awaitPrimaryOtherThan(RedisServer former, int slot, Duration limit) {
        await("another primary of slot " + slot + " than the one on port " + former.port(), limit, () -> {
            Optional<RedisServer> now = agreed(views()).flatMap(view -> primaryOf(slot, view));
            return now.isPresent() && now.get() != former && RedisMembers.isPrimary(now.get());
        });
        return primaryOf(slot);
    }

    /** Returns what all members say that answer, if they agree and serve clients. */
    private static Optional<ClusterView> agreed(List<ClusterView> views) {
        return views.stream().map(ClusterView::roles).distinct().count() == 1
                        && views.stream().allMatch(ClusterView::serves)
                ? Optional.of(views.get(0))
                : Optional.empty();
    }

    /**
     * Waits until all run and agree: they know each other, serve clients, and each replica follows its primary and has
     * caught up.
     *
     * @param limit how long it may take
     * @throws IllegalStateException if it takes longer; the message says what the servers tell
     */
    public void awaitComplete(Duration limit) {
        await("all members agree", limit, this::isComplete);
    }

    private boolean isComplete() throws IOException {
        List<ClusterView> views = views();
        Optional<ClusterView> view = agreed(views);
        return knowAll(views) && view.isPresent() && allFollow(view.get());
    }

    private boolean allFollow(ClusterView view) throws IOException {
        for (RedisServer primary : members.withPorts(view.primaries())) {
            if (!RedisMembers.haveCaughtUp(members.withPorts(view.replicasOf(primary.port())), primary)) {
                return false;
            }
        }
        return true;
    }

    private boolean knowAll(List<ClusterView> views) {
        int size = members.all().size();
        return views.size() == size && views.stream().allMatch(view -> view.knows(size));
    }

    /**
     * Waits until each connected replica of a primary has all writes so far, so that a {@link #killPrimary} loses none of
     * them: replication is asynchronous, and a primary may die before it has sent what it has confirmed.
     *
     * @throws IllegalStateException if a replica takes longer than a second
     */
    public void awaitReplicas(RedisServer primary) {
        members.awaitReplicas(primary);
    }

    /**
     * From now on the replicas of a primary receive nothing from it, although its clients go on: when it dies, all later
     * writes are lost. All earlier ones have arrived.
     *
     * @see #keepTail
     */
    public void loseTail(RedisServer primary) {
        members.loseTail(primary);
    }

    /** Lets replicas follow again after {@link #loseTail}: those of all members that run. A start does the same. */
    public void keepTail() {
        members.keepTail();
    }

    /**
     * Sends SIGKILL to the primary of a slot, and returns it. What no replica has received yet is lost; see
     * {@link #awaitReplicas}.
     */
    public RedisServer killPrimary(int slot) {
        RedisServer primary = primaryOf(slot);
        primary.kill();
        return primary;
    }

    /**
     * Lets a replica of the primary of a slot take over while the primary lives, and waits for it. Nothing is lost: the
     * primary stops until the replica has everything, and becomes its replica. It takes milliseconds, or on
     * Redis 6 s if the same replica has taken over less than 4 s before: it is not elected then, and does not tell.
     *
     * @return the new primary
     */
    public RedisServer switchOver(int slot) {
        RedisServer former = primaryOf(slot);
        RedisServer replica = replicasOf(former).stream()
                .filter(RedisServer::isAwake)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no replica can take over: " + describe()));
        await("a replica takes over from the one on port " + former.port(), LIMIT, () -> {
            // It refuses without a link to its primary, and the others do not elect it soon after another election.
            if (primaryOf(slot) == former) {
                replica.ask(ANSWER_LIMIT_MILLIS, "CLUSTER", "FAILOVER");
            }
            awaitPrimaryOtherThan(former, slot, SWITCH_OVER_LIMIT);
            return true;
        });
        return primaryOf(slot);
    }

    /**
     * Kills a member if it runs, starts it, and waits until it is a replica of the primary that has replaced it, or of
     * the one that it had.
     *
     * @param member one that is not a primary
     */
    public void rejoin(RedisServer member) {
        if (primaries().contains(member)) {
            throw new IllegalArgumentException("this is a primary: " + describe());
        }
        member.restart();
        await("the member on port " + member.port() + " is a replica", LIMIT, () -> !RedisMembers.isPrimary(member));
    }

    /** Lets each member rejoin that does not run. */
    public void rejoinMissing() {
        members.missing().forEach(this::rejoin);
    }

    /**
     * Begins to move a slot: from now on its primary sends clients by {@code ASK} to another one for keys that it does not
     * have.
     *
     * @param slot the slot
     * @param to the primary that shall have it
     */
    public void beginMove(int slot, RedisServer to) {
        moveOf(slot, to).begin();
    }

    /**
     * Moves keys of a slot that {@link #beginMove} has named. Their names must be UTF-8.
     *
     * @param most how many it may move
     * @return how many it has moved; less than that if no more are left
     */
    public int moveKeys(int slot, RedisServer to, int most) {
        return moveOf(slot, to).keys(most);
    }

    /**
     * Ends the move of a slot whose keys are all moved, and waits until all members that answer know its new primary: from
     * now on the former one sends clients there by {@code MOVED}.
     *
     * @throws IllegalStateException if the former primary still has keys of the slot
     */
    public void endMove(int slot, RedisServer to) {
        SlotMove move = moveOf(slot, to);
        move.end(primaries().stream()
                .filter(other -> other != to && other != move.from() && other.isAwake())
                .toList());
        await(
                "all know that slot " + slot + " is on port " + to.port(),
                LIMIT,
                () -> agreed(views())
                        .flatMap(view -> primaryOf(slot, view))
                        .filter(now -> now == to)
                        .isPresent());
    }

    /**
     * Runs between two steps of a move.
     *
     * @param <X> what it may throw
     */
    public interface Pause<X extends Exception> {
        /**
         * Pauses.
         *
         * @throws X ends the move; the slot is then between two primaries
         */
        void between() throws X;
    }

    /** Moves a slot with all its keys to another primary. */
    public void move(int slot, RedisServer to) {
        move(slot, to, KEYS_AT_ONCE, () -> {});
    }

    /**
     * Moves a slot with all its keys to another primary, some keys at a time.
     *
     * @return how many keys it has moved
     * @throws X if a pause threw it
     */
    public <X extends Exception> long move(int slot, RedisServer to, int keysAtOnce, Pause<X> pause) throws X {
        SlotMove move = moveOf(slot, to);
        move.begin();
        long all = 0;
        int moved = move.keys(keysAtOnce);
        while (moved > 0) {
            all += moved;
            pause.between();
            moved = move.keys(keysAtOnce);
        }
        endMove(slot, to);
        return all;
    }

    private SlotMove moveOf(int slot, RedisServer to) {
        return new SlotMove(slot, primaryOf(slot), to);
    }

    private void await(String what, Duration limit, Await.State state) {
        Await.until(what, limit, state, this::describe);
    }

    private String describe() {
        return RedisMembers.told("node", members.all(), ClusterView::of) + members.told();
    }

    @Override
    public void close() {
        members.close();
    }
}
