package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Calls on names whose rows a transaction of others may keep locked. Sessions are few, so a call must not wait for such a
 * row on one of them: after the database's lock time-out it leaves the session to other calls, and asks now and then,
 * without waiting, whether the row is free. Thread-safe.
 */
final class RowLocks {
    /** Between the first two looks at a row that is locked; see {@link #longer}. */
    static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(160);

    /** A row that is free for moments only is never found free: a call waits for it now and then. */
    private static final long WAIT_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Longer waiting is the engine's, which pauses and asks again: its threads are few as well. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** Names are forgotten when one of their calls succeeds, or when there are so many. */
    private static final int MOST_NAMES = 10_000;

    private static final long SUSPICION_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Tables tables;
    private final Sessions sessions;
    private final Set<String> suspected = ConcurrentHashMap.newKeySet();

    private volatile Deadline suspicion = Deadline.in(0);

    /** So many sessions may wait for rows that are known to be locked. */
    private final Semaphore waiting = new Semaphore(1);

    RowLocks(Tables tables, Sessions sessions) {
        this.tables = tables;
        this.sessions = sessions;
    }

    /** Runs a call on a name, as soon as its row is free. */
    <T> T run(Deadline deadline, String name, Session.Work<T> work) throws StoreFailure {
        if (!suspected.contains(name)) {
            try {
                return sessions.runUnlessLocked(deadline, work);
            } catch (StoreFailure failure) {
                requireLocked(failure);
                suspect(name);
            }
        }
        return runWhenFree(deadline.orIn(LONGEST_NANOS), name, work);
    }

    private <T> T runWhenFree(Deadline deadline, String name, Session.Work<T> work) throws StoreFailure {
        long pause = FIRST_PAUSE_NANOS;
        Deadline nextWait = Deadline.in(WAIT_EVERY_NANOS);
        while (true) {
            boolean free =
                    free(deadline, List.of(name), sessions::runUnlessLocked).contains(name);
            boolean waits = !free && nextWait.leftNanos() <= 0 && waiting.tryAcquire();
            try {
                if (free || waits) {
                    T result = sessions.runUnlessLocked(deadline, work);
                    suspected.remove(name);
                    return result;
                }
            } catch (StoreFailure failure) {
                requireLocked(failure);
                nextWait = Deadline.in(WAIT_EVERY_NANOS);
            } finally {
                if (waits) {
                    waiting.release();
                }
            }
            if (!sessions.pause(Math.min(pause, deadline.leftNanos())) || deadline.leftNanos() <= 0) {
                throw failure(List.of(name));
            }
            pause = longer(pause);
        }
    }

    /** The failure of a call whose names stayed locked. */
    static StoreFailure failure(Collection<String> names) {
        return new StoreFailure(
                Effect.NONE,
                Reason.UNREACHABLE,
                "a transaction of others kept the row of \"" + names.iterator().next()
                        + "\" locked for all of the time: look for it, and end it",
                null);
    }

    /** The next pause: doubled up to a limit. */
    static long longer(long pauseNanos) {
        return Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }

    /** Throws every failure but that of a row that others keep locked. */
    void requireLocked(StoreFailure failure) throws StoreFailure {
        if (!sessions.isLocked(failure)) {
            throw failure;
        }
    }

    /** Whether the name's row was locked when it was last needed. */
    boolean isSuspected(String name) {
        return suspected.contains(name);
    }

    void suspect(String name) {
        suspicion = Deadline.in(SUSPICION_NANOS);
        if (suspected.size() >= MOST_NAMES) {
            suspected.clear();
        }
        suspected.add(name);
    }

    /** Whether any row was found locked a moment ago: what walks over rows of all names would wait for it. */
    boolean isAnySuspected() {
        return suspicion.leftNanos() > 0;
    }

    /** How a question is put to a session. */
    interface Runner {
        <T> T run(Deadline deadline, Session.Work<T> work) throws StoreFailure;
    }

    /** The names whose rows can be locked without waiting, or are not there. What it finds locked is suspected. */
    Set<String> free(Deadline deadline, Collection<String> names, Runner runner) throws StoreFailure {
        Set<String> free = new HashSet<>(names);
        Set<String> locked;
        try {
            locked = runner.run(deadline, session -> tables.locked(session, names));
        } catch (StoreFailure failure) {
            // The whole table is locked.
            requireLocked(failure);
            locked = Set.copyOf(names);
        }
        free.removeAll(locked);
        locked.forEach(this::suspect);
        suspected.removeAll(free);
        return free;
    }
}
