package dev.baton.memcached;

import dev.baton.spi.Deadline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Places for the connections of a client. The one used last is used next, another one only if that is in use, and if all
 * are and the server is far, calls share them. Thread-safe.
 */
final class Places {
    /** How many calls have a connection at a time: so 4 connections are enough for 64 threads. */
    static final int CALLS = 16;

    /** A place for a connection, which its first call opens. */
    static final class Place {
        private @Nullable Session session;
        private int calls;
        private boolean alone;

        boolean canBeShared() {
            return session != null && calls < CALLS && !alone && session.wire().canBeShared();
        }
    }

    /**
     * A place that a call has.
     *
     * @param session its connection; null if the call is to open one
     */
    record Taken(Place place, @Nullable Session session) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Place> all = new ArrayList<>();

    /** Those without a call; the one used last is the first. */
    private final Deque<Place> unused = new ArrayDeque<>();

    /** How many calls wait for a connection of their own: the first place takes no other calls meanwhile. */
    private int wantAlone;

    private int wantAny;

    /** Whether a call that was alone has ended, and none of the others has begun since: then these go first, if any wait. */
    private boolean wasAlone;

    private boolean closed;

    /** Creates places without connections. */
    Places(int number) {
        for (int i = 0; i < number; i++) {
            all.add(new Place());
        }
        unused.addAll(all);
    }

    /**
     * Waits for a place, even if the thread is interrupted: the engine undoes an interrupted caller's request, and needs an
     * answer to do so.
     *
     * @param alone whether no other call shall have the same connection meanwhile
     * @return a place to {@linkplain #giveBack give back}; null if there was none in time
     */
    @Nullable
    Taken take(boolean alone, Deadline deadline) {
        boolean interrupted = false;
        lock.lock();
        try {
            count(alone, 1);
            boolean inTime = true;
            while (true) {
                Place place = alone ? aloneUsable() : usable();
                if (place != null) {
                    place.calls++;
                    place.alone = alone;
                    wasAlone &= alone;
                    // Each place that is given back wakes one call, and more of them may have found room by now.
                    if (place.canBeShared()) {
                        wake();
                    }
                    return new Taken(place, place.session);
                }
                // Once more after the time is over: it may have been this thread that was woken for a place.
                if (!inTime) {
                    return null;
                }
                try {
                    inTime = changed.awaitNanos(deadline.leftNanos()) > 0;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            count(alone, -1);
            if (alone || wantAlone > 0) {
                // The first place may be for others now.
                changed.signalAll();
            }
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void count(boolean alone, int change) {
        if (alone) {
            wantAlone += change;
        } else {
            wantAny += change;
        }
    }

    private @Nullable Place aloneUsable() {
        return areOthersFirst() ? null : unused.pollFirst();
    }

    private boolean areOthersFirst() {
        return wasAlone && wantAny > 0;
    }

    private @Nullable Place usable() {
        Place kept = wantAlone > 0 && !areOthersFirst() ? all.get(0) : null;
        for (Place place : unused) {
            if (place != kept) {
                unused.remove(place);
                return place;
            }
        }
        Place best = null;
        for (Place place : all) {
            if (place != kept && place.canBeShared() && (best == null || place.calls < best.calls)) {
                best = place;
            }
        }
        return best;
    }

    /** Notes the connection that the only call of a place has opened; others may share it from now on. */
    void opened(Place place, Session session) {
        lock.lock();
        try {
            place.session = session;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a connection that has broken. The unused ones lead to the same process, and may be broken as well. */
    void broke(Place place, Session session) {
        lock.lock();
        try {
            // Of several calls on it, only the first one.
            if (place.session == session) {
                place.session = null;
                closeUnused();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends a call. */
    void giveBack(Place place) {
        lock.lock();
        try {
            place.calls--;
            wasAlone |= place.alone;
            place.alone = false;
            if (place.calls == 0) {
                unused.addFirst(place);
                if (closed) {
                    closeUnused();
                }
            }
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes one call for the place; all of them if some want one that the others cannot use. */
    private void wake() {
        if (wantAlone == 0) {
            changed.signal();
        } else {
            changed.signalAll();
        }
    }

    /** Closes the connections; those in use close after their calls. */
    void close() {
        lock.lock();
        try {
            closed = true;
            closeUnused();
        } finally {
            lock.unlock();
        }
    }

    boolean areClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void closeUnused() {
        for (Place place : unused) {
            if (place.session != null) {
                place.session.wire().close();
                place.session = null;
            }
        }
    }
}
