package dev.baton.internal.ordered;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Lock-delays that are on. If the client of the failed holder lives, it knows when the delay began. Every other client
 * counts from when it first sees the delay record without its ticket, so the delay never ends too early. Thread-safe.
 */
final class LockDelays {
    private record Key(String name, String client, long attempt) {
        static Key of(String name, EntryLabel label) {
            return new Key(name, label.client(), label.attempt());
        }
    }

    private final Map<Key, Long> ends = new ConcurrentHashMap<>();
    private final LongSupplier clock;
    private final Runnable needed;

    /**
     * Creates an empty set.
     *
     * @param needed called when there is a delay whose end has to be noticed
     */
    LockDelays(LongSupplier clock, Runnable needed) {
        this.clock = clock;
        this.needed = needed;
    }

    /** Records that a holder failed, and when its delay ends. */
    void begin(String name, EntryLabel label, long endMicros) {
        ends.put(Key.of(name, label), endMicros);
        needed.run();
    }

    /** Returns the delay records that prevent grants now. */
    List<Entry> inTheWay(String name, OrderedView view) {
        if (view.orphans().isEmpty()) {
            return List.of();
        }
        long now = clock.getAsLong();
        List<Entry> inTheWay = view.orphans().stream()
                .filter(each -> ends.computeIfAbsent(
                                Key.of(name, each.label()),
                                key -> now + each.label().lockDelayMicros())
                        > now)
                .toList();
        needed.run();
        return inTheWay;
    }

    /** Returns how long the delays that are on will last. */
    long remaining(String name, OrderedView view, long now) {
        return inTheWay(name, view).stream()
                .mapToLong(each -> ends.getOrDefault(Key.of(name, each.label()), now) - now)
                .max()
                .orElse(0);
    }

    /** Returns the names with a known delay that is over. */
    List<String> over(long now) {
        return ends.entrySet().stream()
                .filter(each -> each.getValue() <= now)
                .map(each -> each.getKey().name())
                .distinct()
                .toList();
    }

    /** Whether the delay of a record is over. */
    boolean isOver(Entry orphan, long now) {
        Long end = ends.get(Key.of(orphan.name(), orphan.label()));
        return end != null && end <= now;
    }

    /** Forgets the delays of a name that are over. */
    void forgetOver(String name, long now) {
        ends.entrySet().removeIf(each -> each.getKey().name().equals(name) && each.getValue() <= now);
    }

    boolean isEmpty() {
        return ends.isEmpty();
    }
}
