package dev.baton.internal.ordered;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client's own attempts that may have an entry, and its undone attempts, which must not get an entry any more.
 *
 * <p>It remembers the last {@value #MANY} undone attempts one by one. Of all earlier ones it remembers only the
 * greatest number, and begins no attempt up to that number. Attempts are numbered in the order in which they are sent,
 * so such an attempt is late by thousands of others, and its client takes a new number. Thread-safe.
 */
final class Attempts {
    private static final int MANY = 10_000;

    private record Key(String name, long attempt) {}

    private final Map<Key, Attempt> attempts = new ConcurrentHashMap<>();
    private final Deadlines deadlines;
    private final Map<Key, Boolean> undone = new ConcurrentHashMap<>();
    private final Queue<Key> inOrder = new ConcurrentLinkedQueue<>();
    private final AtomicLong forgotten = new AtomicLong(Long.MIN_VALUE);

    Attempts(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    /** Records an attempt before it is sent; false if it was undone or sent already. */
    boolean begin(Attempt own) {
        Key key = key(own);
        return attempts.compute(key, (same, before) -> before == null && mayBegin(key) ? own : before) == own;
    }

    /** The limit is checked last, because {@link #forgetOldest} raises it before it drops an attempt. */
    private boolean mayBegin(Key key) {
        return !undone.containsKey(key) && key.attempt > forgotten.get();
    }

    /** Undoes an attempt, so that it cannot begin any more; returns it if it had begun. */
    @Nullable
    Attempt cancel(String name, long attempt) {
        Key key = new Key(name, attempt);
        Attempt begun = attempts.compute(key, (same, before) -> {
            if (undone.put(key, true) == null) {
                inOrder.add(key);
            }
            return before;
        });
        if (undone.size() > MANY) {
            forgetOldest();
        }
        return begun;
    }

    private void forgetOldest() {
        Key oldest = inOrder.poll();
        if (oldest != null) {
            forgotten.accumulateAndGet(oldest.attempt, Math::max);
            undone.remove(oldest);
        }
    }

    /** Returns how many undone attempts are remembered one by one. */
    int remembered() {
        return undone.size();
    }

    @Nullable
    Attempt find(String name, long attempt) {
        return attempts.get(new Key(name, attempt));
    }

    void remove(Attempt own) {
        attempts.remove(key(own), own);
        own.gone.complete(false);
        deadlines.forget(own);
    }

    Collection<Attempt> all() {
        return attempts.values();
    }

    private static Key key(Attempt own) {
        return new Key(own.name(), own.label.attempt());
    }
}
