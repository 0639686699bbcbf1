package dev.baton.internal.ordered;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Lock-delays that are on, and keepers, which have the same effect. If the client of the failed holder lives, it knows when the delay began. Every other client
 * counts from when it first sees the delay record without its ticket, so the delay never ends too early. A keeper says itself when it is over. Thread-safe.
 */
final class LockDelays {
    private record Key(String name, EntryLabel.Sort sort, String client, long attempt) {
        static Key of(String name, EntryLabel label) {
            // A ticket stands for its delay record.
            EntryLabel.Sort sort = label.sort() == EntryLabel.Sort.TICKET ? EntryLabel.Sort.DELAY : label.sort();
            return new Key(name, sort, label.client(), label.attempt());
        }
    }

    private final Map<Key, Long> ends = new ConcurrentHashMap<>();
    private final LongSupplier clock;
    private final LongSupplier wallClock;
    private final Runnable needed;

    /**
     * Creates an empty set.
     *
     * @param wallClock tells how long a keeper of another client lasts
     * @param needed called when there is a delay whose end has to be noticed
     */
    LockDelays(LongSupplier clock, LongSupplier wallClock, Runnable needed) {
        this.clock = clock;
        this.wallClock = wallClock;
        this.needed = needed;
    }

    /** Records that a holder failed or left a keeper, and when that ends. */
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
                                key -> now + each.label().restMicros(wallClock.getAsLong()))
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
