package dev.baton.internal.ordered;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Lock-delays that are on. The client of a holder that failed knows since when, if it lives; everybody else counts from
 * when it first sees the delay record without its ticket, and so never from too early. Thread-safe.
 */
final class LockDelays {
    private record Key(String name, String client, long attempt) {
        static Key of(String name, EntryLabel label) {
            return new Key(name, label.client(), label.attempt());
        }
    }

    private final Map<Key, Long> ends = new ConcurrentHashMap<>();
    private final LongSupplier clock;

    LockDelays(LongSupplier clock) {
        this.clock = clock;
    }

    /** A holder failed, and its delay ends then. */
    void begin(String name, EntryLabel label, long endMicros) {
        ends.put(Key.of(name, label), endMicros);
    }

    /** The delay records for which nothing may be granted now. */
    List<Entry> inTheWay(String name, OrderedView view) {
        if (view.orphans().isEmpty()) {
            return List.of();
        }
        long now = clock.getAsLong();
        return view.orphans().stream()
                .filter(each -> ends.computeIfAbsent(
                                Key.of(name, each.label()),
                                key -> now + each.label().lockDelayMicros())
                        > now)
                .toList();
    }

    /** How long the delays that are on will last. */
    long remaining(String name, OrderedView view, long now) {
        return inTheWay(name, view).stream()
                .mapToLong(each -> ends.getOrDefault(Key.of(name, each.label()), now) - now)
                .max()
                .orElse(0);
    }

    /** The names in which a delay that was seen is over. */
    List<String> over(long now) {
        return ends.entrySet().stream()
                .filter(each -> each.getValue() <= now)
                .map(each -> each.getKey().name())
                .distinct()
                .toList();
    }

    /** Whether a delay record has served its time. */
    boolean isOver(Entry orphan, long now) {
        Long end = ends.get(Key.of(orphan.name(), orphan.label()));
        return end != null && end <= now;
    }

    /** Nothing is left of a name's delays that are over. */
    void forgetOver(String name, long now) {
        ends.entrySet().removeIf(each -> each.getKey().name().equals(name) && each.getValue() <= now);
    }

    boolean isEmpty() {
        return ends.isEmpty();
    }
}
