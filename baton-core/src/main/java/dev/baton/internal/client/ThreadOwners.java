package dev.baton.internal.client;

import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.Outbox;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Which thread owns which lock, and how many times. The two sides of a read-write lock count apart. Only its own thread changes an entry. */
final class ThreadOwners {
    private record Key(Share share, Thread thread) {}

    /** One thread's ownership. */
    static final class Owned {
        final LeaseHandle lease;
        int count = 1;

        /** Whether the thread got an exception for the loss. */
        boolean told;

        /** When the sweep first saw that it had ended; 0 while it has not. */
        private volatile long endedNanos;

        private Owned(LeaseHandle lease) {
            this.lease = lease;
        }

        private boolean isOld(long now) {
            boolean ended = lease.grant().loss() != null || lease.grant().isReleased();
            if (ended && endedNanos == 0) {
                endedNanos = now | 1;
            }
            return ended && now - endedNanos > REMEMBERED_NANOS;
        }
    }

    /** 10 s: how long an ended hold is remembered, so that a late {@code unlock} of its thread is no error. */
    private static final long REMEMBERED_NANOS = 10_000_000_000L;

    /** After so many entered holds, all holds are checked once. */
    private static final int SWEEP_EVERY = 256;

    private final Map<Key, Owned> owned = new ConcurrentHashMap<>();
    private final AtomicInteger entered = new AtomicInteger();
    private final Clock clock;

    ThreadOwners(Clock clock) {
        this.clock = clock;
    }

    @Nullable
    Owned mine(Share share) {
        return owned.get(new Key(share, Thread.currentThread()));
    }

    void enter(Share share, LeaseHandle lease) {
        owned.put(new Key(share, Thread.currentThread()), new Owned(lease));
        if (entered.incrementAndGet() % SWEEP_EVERY == 0) {
            forgetEnded();
        }
    }

    /** Forgets holds that ended a while ago and whose threads never unlocked. */
    void forgetEnded() {
        long now = clock.nanos();
        owned.values().removeIf(each -> each.isOld(now));
    }

    /** Returns the number of remembered holds, for the residue checks. */
    int size() {
        return owned.size();
    }

    void leave(Share share) {
        owned.remove(new Key(share, Thread.currentThread()));
    }

    /** Stops renewing the holds of threads that have ended, because no other thread can unlock them. */
    void abandonThoseOfDeadThreads(Engine engine, Outbox out) {
        owned.entrySet().removeIf(entry -> {
            boolean dead = !entry.getKey().thread().isAlive();
            if (dead) {
                engine.abandoned(entry.getValue().lease.grant(), out);
            }
            return dead;
        });
    }
}
