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
 * Runs calls on names whose rows another transaction may keep locked. Sessions are few, so a call must not wait on one
 * of them for such a row. After the database's lock time-out the call leaves the session to other calls, and checks now
 * and then, without waiting, whether the row is free. Thread-safe.
 */
final class RowLocks {
    /** The pause between the first two checks of a locked row; see {@link #longer}. */
    static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(160);

    /** A row that is free only for moments never passes the check, so a call really waits for it now and then. */
    private static final long WAIT_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /**
     * The longest lock time-out of the databases, MySQL's. A call with less time left does not begin to wait: it would not
     * see the end of its statement, so its effect would be unknown.
     */
    private static final long LOCK_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The engine does any longer waiting: it pauses and asks again, because its threads are few as well. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** A name is forgotten when one of its calls succeeds, or when there are this many names. */
    private static final int MOST_NAMES = 10_000;

    private static final long SUSPICION_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Tables tables;
    private final Sessions sessions;
    private final Set<String> suspected = ConcurrentHashMap.newKeySet();

    private volatile Deadline suspicion = Deadline.in(0);

    /** The number of sessions that may wait for rows known to be locked. */
    private final Semaphore waiting = new Semaphore(1);

    RowLocks(Tables tables, Sessions sessions) {
        this.tables = tables;
        this.sessions = sessions;
    }

    /** Runs a call on a name, as soon as its row is free. */
    <T> T run(Deadline deadline, String name, Session.Work<T> work) throws StoreFailure {
        return run(deadline, name, () -> sessions.runUnlessLocked(deadline, work), work);
    }

    /**
     * Runs a call on a name, as soon as its row is free.
     *
     * @param first runs it if the row is not known to be locked
     */
    <T> T run(Deadline deadline, String name, Call<T> first, Session.Work<T> work) throws StoreFailure {
        if (!suspected.contains(name)) {
            long time = deadline.leftNanos();
            try {
                return first.call();
            } catch (StoreFailure failure) {
                // A call that is over just before the lock time-out is told nothing of a lock.
                if (sessions.isLocked(failure) || (deadline.leftNanos() <= 0 && time >= LOCK_TIMEOUT_NANOS / 2)) {
                    suspect(name);
                }
                requireLocked(failure);
            }
        }
        return runWhenFree(deadline.orIn(LONGEST_NANOS), name, work);
    }

    private <T> T runWhenFree(Deadline deadline, String name, Session.Work<T> work) throws StoreFailure {
        long pause = FIRST_PAUSE_NANOS;
        Deadline nextWait = Deadline.in(WAIT_EVERY_NANOS);
        boolean wasLocked = false;
        while (true) {
            boolean free = isFree(deadline, name, wasLocked);
            wasLocked = !free;
            boolean waits = !free
                    && nextWait.leftNanos() <= 0
                    && deadline.leftNanos() >= LOCK_TIMEOUT_NANOS
                    && waiting.tryAcquire();
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

    /** A row that was locked at the check before counts as locked if there is no time left for an answer to this one. */
    private boolean isFree(Deadline deadline, String name, boolean wasLocked) throws StoreFailure {
        try {
            return free(deadline, List.of(name), sessions::runUnlessLocked).contains(name);
        } catch (StoreFailure unanswered) {
            if (!wasLocked || deadline.leftNanos() > 0) {
                throw unanswered;
            }
            return false;
        }
    }

    /** Returns the failure of a call whose names stayed locked. */
    static StoreFailure failure(Collection<String> names) {
        return new StoreFailure(
                Effect.NONE,
                Reason.UNREACHABLE,
                "a transaction of others kept the row of \"" + names.iterator().next()
                        + "\" locked for all of the time: look for it, and end it",
                null);
    }

    /** Returns the next pause: doubled, up to a limit. */
    static long longer(long pauseNanos) {
        return Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }

    /** Throws every failure except that of a row that another transaction keeps locked. */
    void requireLocked(StoreFailure failure) throws StoreFailure {
        if (!sessions.isLocked(failure)) {
            throw failure;
        }
    }

    /** Returns whether the name's row was locked when it was last needed. */
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

    /** Returns whether any row was locked a moment ago: a walk over the rows of all names would wait for it. */
    boolean isAnySuspected() {
        return suspicion.leftNanos() > 0;
    }

    /** A call of the store. */
    interface Call<T> {
        T call() throws StoreFailure;
    }

    /** Runs a query on a session. */
    interface Runner {
        <T> T run(Deadline deadline, Session.Work<T> work) throws StoreFailure;
    }

    /**
     * Returns the names whose rows can be locked at once, or do not exist. Suspects the names that are locked. If this check
     * gets no answer, it has had no effect: it changes nothing.
     */
    Set<String> free(Deadline deadline, Collection<String> names, Runner runner) throws StoreFailure {
        Set<String> free = new HashSet<>(names);
        Set<String> locked = lockedOf(names, deadline, runner);
        free.removeAll(locked);
        locked.forEach(this::suspect);
        suspected.removeAll(free);
        return free;
    }

    private Set<String> lockedOf(Collection<String> names, Deadline deadline, Runner runner) throws StoreFailure {
        try {
            return runner.run(deadline, session -> tables.locked(session, names));
        } catch (StoreFailure failure) {
            if (sessions.isLocked(failure)) {
                // The whole table is locked.
                return Set.copyOf(names);
            }
            throw new StoreFailure(Effect.NONE, failure.reason(), String.valueOf(failure.getMessage()), failure);
        }
    }
}
