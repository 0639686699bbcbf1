package dev.baton.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * Which primary of a cluster keeps which buckets, by all that its nodes say. Of several primaries that claim a slot, that
 * with the greatest epoch is right, so that a node that was cut off and knows nothing of a failover is overruled.
 * Hearsay about a node that answers does not count: the epoch belongs to the node and not to the slot, so that it would
 * not show that a slot has left.
 *
 * @param shards the primaries that keep buckets, that of bucket 0 first
 * @param unserved buckets whose slots no node claims, as bits
 */
record ClusterMap(List<Shard> shards, long unserved) {
    /**
     * A primary and its replicas.
     *
     * @param primary where the primary is
     * @param primaryId the identity of the primary
     * @param ids the identities of the primary and its replicas
     * @param replicas where the replicas are
     * @param bits which buckets it keeps
     */
    record Shard(HostAndPort primary, String primaryId, Set<String> ids, Set<HostAndPort> replicas, long bits) {}

    /**
     * Puts together what nodes say.
     *
     * @param views of all nodes that answered
     * @param slots the slot of each bucket
     */
    static ClusterMap of(List<ClusterView> views, List<Integer> slots) {
        // In the order of their first buckets.
        List<String> owners = new ArrayList<>();
        Map<String, ClusterView.Member> primaries = new HashMap<>();
        Map<String, Long> bits = new HashMap<>();
        long unserved = 0;
        for (int bucket = 0; bucket < slots.size(); bucket++) {
            ClusterView.Member owner = owner(views, slots.get(bucket));
            if (owner == null) {
                unserved |= 1L << bucket;
            } else {
                if (primaries.put(owner.id(), owner) == null) {
                    owners.add(owner.id());
                }
                bits.merge(owner.id(), 1L << bucket, (a, b) -> a | b);
            }
        }
        List<Shard> shards = new ArrayList<>();
        for (String id : owners) {
            ClusterView.Member primary = primaries.get(id);
            Long kept = bits.get(id);
            if (primary != null && kept != null) {
                shards.add(shard(primary, views, kept));
            }
        }
        return new ClusterMap(shards, unserved);
    }

    private static ClusterView.@Nullable Member owner(List<ClusterView> views, int slot) {
        Set<String> speaking = views.stream().map(ClusterView::own).collect(Collectors.toSet());
        ClusterView.Member owner = null;
        for (ClusterView view : views) {
            for (ClusterView.Member member : view.members()) {
                boolean counts = member.id().equals(view.own()) || !speaking.contains(member.id());
                if (counts
                        && member.isPrimary()
                        && member.hasSlot(slot)
                        && (owner == null || member.epoch() > owner.epoch())) {
                    owner = member;
                }
            }
        }
        return owner;
    }

    private static Shard shard(ClusterView.Member primary, List<ClusterView> views, long bits) {
        Set<String> ids = new HashSet<>(Set.of(primary.id()));
        Set<HostAndPort> replicas = new HashSet<>();
        for (ClusterView view : views) {
            for (ClusterView.Member member : view.members()) {
                if (!member.isPrimary() && member.primaryId().equals(primary.id())) {
                    ids.add(member.id());
                    replicas.add(member.at());
                }
            }
        }
        return new Shard(primary.at(), primary.id(), ids, replicas, bits);
    }
}
