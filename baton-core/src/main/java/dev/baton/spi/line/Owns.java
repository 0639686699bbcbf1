package dev.baton.spi.line;

import dev.baton.spi.Protocol;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A client's own attempts that may have an entry, and those that must not get one any more. Thread-safe. */
final class Owns {
    private static final int MANY = 10_000;

    private record Key(String name, long attempt) {}

    private final Map<Key, Own> owns = new ConcurrentHashMap<>();
    private final Map<Key, Long> cancelled = new ConcurrentHashMap<>();
    private final AtomicInteger crowd = new AtomicInteger(MANY);

    /** Notes an attempt before it is sent. False if it was undone already, or sent. */
    boolean begin(Own own, long now) {
        Key key = key(own);
        return owns.compute(key, (same, before) -> before == null && !cancelled.containsKey(key) ? own : before) == own;
    }

    /** Undoes an attempt: it is not begun any more. Returns it if it was. */
    @Nullable
    Own cancel(String name, long attempt, long now) {
        int many = crowd.get();
        // As many again may come before all are looked through again.
        if (cancelled.size() > many && crowd.compareAndSet(many, Integer.MAX_VALUE)) {
            cancelled.values().removeIf(since -> since + Protocol.MARK_MICROS < now);
            crowd.set(MANY + 2 * cancelled.size());
        }
        Key key = new Key(name, attempt);
        return owns.compute(key, (same, before) -> {
            cancelled.put(key, now);
            return before;
        });
    }

    @Nullable
    Own find(String name, long attempt) {
        return owns.get(new Key(name, attempt));
    }

    void remove(Own own) {
        owns.remove(key(own), own);
    }

    Collection<Own> all() {
        return owns.values();
    }

    private static Key key(Own own) {
        return new Key(own.name(), own.label.attempt());
    }
}
