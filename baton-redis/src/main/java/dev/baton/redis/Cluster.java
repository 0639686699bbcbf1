package dev.baton.redis;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Deadline;
import dev.baton.spi.Protocol;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * A cluster: a node for each primary that keeps buckets. It follows failovers, where another member of a shard becomes its
 * primary, and slots that move to another shard. It never follows an ASK: while a slot moves, a name whose record is not
 * where its bucket is waits, and the importing node begins nothing.
 *
 * <p>Thread-safe. One thread changes it: the caller of {@link #open}, and then the watch's.
 */
final class Cluster implements Topology {
    /** How long a caller waits before it asks again a node that did not execute its command. */
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Makes the parts of a shard. */
    interface Parts {
        /** Makes a primary that is nowhere yet. */
        Primary primary(Runnable onFailure);

        /** Makes a node whose server is the primary, and keeps the buckets. */
        Node node(Primary primary, Buckets buckets, Runnable onBreak, HostAndPort at);
    }

    /**
     * Which shard keeps which bucket.
     *
     * @param told the nodes' answers, from which it was made
     * @param shards that of bucket 0 first
     * @param of the shard of each bucket
     */
    private record Layout(ClusterMap told, List<ClusterShard> shards, List<ClusterShard> of) {
        void close() {
            // A shard that keeps nothing any more may still stand for a bucket that no node serves.
            new HashSet<>(of).forEach(ClusterShard::close);
        }
    }

    private final ClusterAsking asking;
    private final Parts parts;
    private final List<Integer> slots;
    private final TopologyWatch watch;
    private final List<String> warnings = new ArrayList<>();
    private volatile @Nullable Layout layout;
    private volatile boolean closed;

    /** Primaries that could not be connected, and until when none of them is tried again. Only the watch uses it. */
    private final Map<HostAndPort, Deadline> refused = new HashMap<>();

    private Cluster(ClusterAsking asking, Parts parts, Keys keys, String threadName) {
        this.asking = asking;
        this.parts = parts;
        this.slots = keys.slots();
        this.watch = new TopologyWatch(this::look, threadName);
    }

    /** Connects to all primaries that keep buckets. */
    static Cluster open(ClusterAsking asking, Parts parts, Keys keys, String threadName, Deadline deadline)
            throws StoreFailure {
        Cluster cluster = new Cluster(asking, parts, keys, threadName);
        try {
            cluster.connect(deadline);
            cluster.watch.start();
            return cluster;
        } catch (StoreFailure | RuntimeException refused) {
            cluster.close();
            throw refused;
        }
    }

    /** Connects; asks again while a failover is under way, as long as connecting may take. */
    private void connect(Deadline deadline) throws StoreFailure {
        while (true) {
            ClusterMap told = toldAtFirst();
            requireAll(told);
            List<ClusterShard> shards = told.shards().stream().map(this::shard).toList();
            List<Dialer.Open> opened = new ArrayList<>();
            try {
                for (ClusterShard shard : shards) {
                    opened.add(shard.primary().open());
                }
                settle(told, shards, opened, deadline);
                return;
            } catch (StoreFailure failure) {
                opened.forEach(Dialer.Open::close);
                shards.forEach(ClusterShard::close);
                layout = null;
                if (failure.reason() != Reason.UNREACHABLE || deadline.leftNanos() <= 0) {
                    throw failure;
                }
                watch.await(() -> false, Math.min(AGAIN_NANOS, deadline.leftNanos()));
            }
        }
    }

    /** Asks the named nodes, and then also the primaries that they tell of: each node is right about itself. */
    private ClusterMap toldAtFirst() throws StoreFailure {
        List<ClusterView> views = new ArrayList<>(asking.askNamed());
        Set<HostAndPort> others = new LinkedHashSet<>();
        ClusterMap.of(views, slots).shards().forEach(shard -> others.add(shard.primary()));
        others.removeAll(asking.named());
        views.addAll(asking.askAny(others));
        return ClusterMap.of(views, slots);
    }

    private void requireAll(ClusterMap told) throws StoreFailure {
        if (told.unserved() == 0) {
            return;
        }
        int bucket = Long.numberOfTrailingZeros(told.unserved());
        throw new StoreFailure(
                Effect.NONE,
                Reason.UNFIT,
                "no node of the cluster has slot " + slots.get(bucket) + ", which " + Long.bitCount(told.unserved())
                        + " of " + Protocol.BUCKETS
                        + " parts of the namespace need: assign all " + Slots.COUNT
                        + " slots (redis-cli --cluster fix)",
                null);
    }

    private ClusterShard shard(ClusterMap.Shard told) {
        Primary primary = parts.primary(watch::lookSoon);
        return new ClusterShard(
                told, primary, (server, buckets) -> parts.node(server, buckets, watch::lookSoon, told.primary()));
    }

    /**
     * Starts all nodes. Of a new namespace, the buckets beside the descriptor are made first: a server without these that is
     * not the first to get any has forgotten them. The others are made before any node listens: another client takes a
     * namespace whose clients listen for one that existed, and a node without buckets then for one that forgot them. The
     * descriptor is written last.
     */
    private void settle(ClusterMap told, List<ClusterShard> shards, List<Dialer.Open> opened, Deadline deadline)
            throws StoreFailure {
        Layout unused = publish(told, shards);
        boolean known = isKnown(shards, opened);
        for (int i = 0; !known && i < shards.size(); i++) {
            shards.get(i).node().makeBuckets(opened.get(i), false);
        }
        for (int i = shards.size() - 1; i >= 0; i--) {
            warnings.addAll(shards.get(i).node().start(opened.get(i), known, deadline));
        }
        for (ClusterMap.Shard shard : told.shards()) {
            if (shard.replicas().isEmpty()) {
                warnings.add(
                        "the primary " + Hosts.shown(shard.primary()) + " of the cluster has no replica: if it fails,"
                                + " its part of the names cannot be locked until it is back");
            }
        }
    }

    /** Whether the namespace existed before this client came. */
    private static boolean isKnown(List<ClusterShard> shards, List<Dialer.Open> opened) throws StoreFailure {
        boolean elsewhere = false;
        boolean clients = false;
        for (int i = 0; i < shards.size(); i++) {
            Node node = shards.get(i).node();
            clients |= node.hasClients(opened.get(i));
            elsewhere |= i > 0 && node.hasBuckets(opened.get(i));
        }
        Node home = shards.get(0).node();
        boolean here = home.hasBuckets(opened.get(0));
        return clients || home.hasDescriptor(opened.get(0)) || (elsewhere && !here);
    }

    private Layout publish(ClusterMap told, List<ClusterShard> shards) {
        ClusterShard[] of = new ClusterShard[Protocol.BUCKETS];
        Layout before = layout;
        for (int bucket = 0; bucket < of.length; bucket++) {
            // Without an owner the first shard is asked, and answers that it does not have the slot.
            of[bucket] = before == null ? shards.get(0) : before.of().get(bucket);
            for (ClusterShard shard : shards) {
                if ((shard.bits() >>> bucket & 1) == 1) {
                    of[bucket] = shard;
                }
            }
        }
        Layout now = new Layout(told, shards, Arrays.asList(of));
        layout = now;
        return now;
    }

    // ---- the watch ------------------------------------------------------------------------------------------------

    /** Returns whether all primaries that keep buckets are connected. */
    private boolean look() {
        Layout now = layout;
        if (now == null || closed) {
            return true;
        }
        List<ClusterView> views = asking.ask(now.shards());
        if (views.isEmpty()) {
            Set<HostAndPort> all = new HashSet<>();
            now.told().shards().forEach(shard -> {
                all.add(shard.primary());
                all.addAll(shard.replicas());
            });
            views = asking.askAny(all);
        }
        return views.isEmpty() || closed || follow(now, ClusterMap.of(views, slots));
    }

    private boolean follow(Layout now, ClusterMap told) {
        List<ClusterShard> left = new ArrayList<>(now.shards());
        Map<ClusterMap.Shard, ClusterShard> known = new HashMap<>();
        for (ClusterMap.Shard each : told.shards()) {
            ClusterShard shard = takeMatching(left, each);
            if (shard != null) {
                shard.follow(each);
                known.put(each, shard);
            }
        }
        List<ClusterMap.Shard> strangers =
                told.shards().stream().filter(each -> !known.containsKey(each)).toList();
        refused.keySet()
                .retainAll(strangers.stream().map(ClusterMap.Shard::primary).toList());
        if (!strangers.isEmpty()) {
            // Connecting takes its time, and the buckets of the others are known already.
            publish(told, known);
        }
        for (ClusterMap.Shard each : strangers) {
            ClusterShard joined = join(each);
            if (joined != null) {
                known.put(each, joined);
            }
        }
        Set<ClusterShard> used = new HashSet<>(publish(told, known).of());
        left.stream().filter(shard -> !used.contains(shard)).forEach(ClusterShard::close);
        if (closed) {
            close();
        }
        return known.size() == told.shards().size();
    }

    /** Publishes the shards that are connected, in the order in which the cluster told of them. */
    private Layout publish(ClusterMap told, Map<ClusterMap.Shard, ClusterShard> connected) {
        List<ClusterShard> shards = told.shards().stream()
                .flatMap(each -> Stream.ofNullable(connected.get(each)))
                .toList();
        Layout now = settled();
        return shards.isEmpty() ? now : publish(told, shards);
    }

    /** Takes out the shard that has most members in common with a description; null if none has any. */
    private static @Nullable ClusterShard takeMatching(List<ClusterShard> left, ClusterMap.Shard told) {
        ClusterShard best = null;
        for (ClusterShard shard : left) {
            int common = shard.inCommonWith(told);
            if (common > 0 && (best == null || common > best.inCommonWith(told))) {
                best = shard;
            }
        }
        if (best != null) {
            left.remove(best);
        }
        return best;
    }

    /** Connects to a primary that kept no buckets before; returns null if that fails, or has failed just now. */
    private @Nullable ClusterShard join(ClusterMap.Shard told) {
        Deadline pause = refused.get(told.primary());
        if (pause != null && pause.leftNanos() > 0) {
            return null;
        }
        ClusterShard shard = shard(told);
        try {
            List<String> unused = shard.node().start(shard.primary().open(), true, Deadline.in(AGAIN_NANOS));
            refused.remove(told.primary());
            return shard;
        } catch (StoreFailure | RuntimeException failed) {
            shard.close();
            refused.put(told.primary(), Deadline.in(TopologyWatch.AGAIN_NANOS));
            return null;
        }
    }

    // ---- the store ------------------------------------------------------------------------------------------------

    private Layout settled() {
        Layout now = layout;
        if (now == null) {
            throw new IllegalStateException("not connected");
        }
        return now;
    }

    @Override
    public Node of(int bucket) {
        return settled().of().get(bucket).node();
    }

    @Override
    public List<Node> nodes() {
        return settled().shards().stream().map(ClusterShard::node).toList();
    }

    /** Each bucket may move by itself, so each has a server and a clock of its own. */
    @Override
    public int shardOf(String name) {
        return Protocol.bucketOf(name);
    }

    @Override
    public void redirected(int bucket, Node asked, RespError error, Deadline deadline) throws StoreFailure {
        if (deadline.leftNanos() <= 0 || closed) {
            throw ServerErrors.failure(error.message(), asked.target(), null);
        }
        watch.lookSoon();
        watch.await(() -> of(bucket) != asked, Math.min(AGAIN_NANOS, deadline.leftNanos()));
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        ClusterMap told = settled().told();
        facts.put("address", "a cluster; the namespace is on " + told.shards().size() + " of its primaries");
        for (ClusterMap.Shard shard : told.shards()) {
            facts.put(
                    "primary " + Hosts.shown(shard.primary()),
                    Long.bitCount(shard.bits()) + " of " + Protocol.BUCKETS + " parts of the namespace, "
                            + shard.replicas().size() + " replicas");
        }
        if (told.unserved() != 0) {
            facts.put(
                    "not served",
                    Long.bitCount(told.unserved()) + " of " + Protocol.BUCKETS + " parts of the namespace");
        }
        return facts;
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
        Layout now = layout;
        if (now != null) {
            now.close();
        }
    }
}
