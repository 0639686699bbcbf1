package dev.baton.etcd;

import dev.baton.internal.ordered.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The last reads of the queues that this client has entries in, each with its revision: a watch starts after it, and
 * nothing happens unseen in between. Thread-safe.
 */
final class Looks {
    private final Map<String, Look> looks = new ConcurrentHashMap<>();

    /**
     * One read of a queue.
     *
     * @param revision the revision that was read
     * @param ids the entries that were there: a missing one is gone for good
     */
    record Look(long revision, Set<String> ids) {
        static Look of(long revision, List<Entry> line) {
            return new Look(revision, idsOf(line));
        }

        static Set<String> idsOf(List<Entry> line) {
            return line.stream().map(Entry::id).collect(Collectors.toUnmodifiableSet());
        }
    }

    /** Records a queue that this client joined. */
    void joined(String name, Look look) {
        looks.merge(name, look, Looks::later);
    }

    /** Records another read of a queue, but only if this client joined the queue. */
    void looked(String name, Look look) {
        looks.computeIfPresent(name, (same, before) -> later(before, look));
    }

    private static Look later(Look one, Look other) {
        return one.revision > other.revision ? one : other;
    }

    Optional<Look> last(String name) {
        return Optional.ofNullable(looks.get(name));
    }

    void forgetAll() {
        looks.clear();
    }

    void forget(String name) {
        looks.remove(name);
    }
}
