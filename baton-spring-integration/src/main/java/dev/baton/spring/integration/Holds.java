package dev.baton.spring.integration;

import dev.baton.Baton;
import dev.baton.Lease;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what each thread has locked and not yet unlocked. The client forgets a lost hold after ten seconds, but a thread
 * that unlocks later still has to be told of the loss. A thread's entries end with the thread.
 *
 * @param client whose locks they are
 */
record Holds(Baton client) {
    /** A thread with so many entries loses those that are not held: they are of locks that it never unlocked. */
    static final int MOST = 1_000;

    private static final ThreadLocal<@Nullable Map<Key, Hold>> MINE = new ThreadLocal<>();

    private record Key(Baton client, String name) {}

    /** One thread's hold of one name. Only that thread uses it. */
    static final class Hold {
        private final Lease lease;
        private final @Nullable Duration time;
        private int count = 1;

        private Hold(Lease lease, @Nullable Duration time) {
            this.lease = lease;
            this.time = time;
        }

        Lease lease() {
            return lease;
        }

        /** Returns the fixed time of its lease; null if the client renews it. */
        @Nullable
        Duration time() {
            return time;
        }

        /** Returns how often the thread has locked without unlocking. */
        int count() {
            return count;
        }

        boolean isLost() {
            return lease.loss().isPresent();
        }
    }

    private Key key(String name) {
        return new Key(client, name);
    }

    /** Returns this thread's hold of a name; null if it has none. */
    @Nullable
    Hold mine(String name) {
        Map<Key, Hold> holds = MINE.get();
        return holds == null ? null : holds.get(key(name));
    }

    /** Counts a lock of this thread: a re-entrance if the lease is the one that it had, else a new hold. */
    void enter(String name, Lease lease, @Nullable Duration time) {
        Map<Key, Hold> holds = MINE.get();
        if (holds == null) {
            holds = new HashMap<>();
            MINE.set(holds);
        }
        Hold outer = holds.get(key(name));
        if (outer != null && outer.lease == lease) {
            outer.count++;
            return;
        }
        if (holds.size() >= MOST) {
            holds.values().removeIf(hold -> !hold.lease.isHeld());
        }
        holds.put(key(name), new Hold(lease, time));
    }

    /** Undoes one {@link #enter} of this thread; returns its hold, or null if it has none. */
    @Nullable
    Hold leave(String name) {
        Map<Key, Hold> holds = MINE.get();
        Hold hold = holds == null ? null : holds.get(key(name));
        if (holds != null && hold != null && --hold.count == 0) {
            holds.remove(key(name));
            if (holds.isEmpty()) {
                MINE.remove();
            }
        }
        return hold;
    }

    /** Returns the number of this thread's entries, of all clients. */
    static int size() {
        Map<Key, Hold> holds = MINE.get();
        return holds == null ? 0 : holds.size();
    }
}
