package dev.baton.etcd;

import dev.baton.internal.ordered.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * How the lines that this client has entries in were seen last, and in which revision: a watch starts behind it, and
 * nothing happens unseen in between. Thread-safe.
 */
final class Looks {
    private final Map<String, Look> looks = new ConcurrentHashMap<>();

    /**
     * A look at a line.
     *
     * @param revision the revision that was looked at
     * @param ids the entries that were there: what is missing is gone for good
     */
    record Look(long revision, Set<String> ids) {
        static Look of(long revision, List<Entry> line) {
            return new Look(revision, idsOf(line));
        }

        static Set<String> idsOf(List<Entry> line) {
            return line.stream().map(Entry::id).collect(Collectors.toUnmodifiableSet());
        }
    }

    /** A line that this client joined. */
    void joined(String name, Look look) {
        looks.merge(name, look, Looks::later);
    }

    /** Another look at a line, which is forgotten unless this client joined it. */
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
