package dev.baton.jdbc;

import dev.baton.internal.store.Elsewhere;
import dev.baton.internal.store.Uninterrupted;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A few sessions that all threads share. A thread that finds none free waits its turn, at most as long as its call has
 * time. The session that was used last is used next, so a single thread keeps a single connection. Thread-safe.
 *
 * <p>If a session finds its connection broken, the idle ones are probed before their next use: the cause has often
 * broken all connections, and each would fail one more call.
 */
final class Sessions {
    /** How long closing waits for calls that still run, and then for connections that are slow to close. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long FILE_QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A call that has waited for its turn until less than this share of its time is left gives up: the next has more use of it. */
    private static final int LEAST_SHARE = 16;

    /** Sessions with one common queue of threads. */
    private static final class Row {
        private final int size;
        private final Deque<Session> free;
        private final Semaphore permits;

        Row(List<Session> sessions) {
            this.size = sessions.size();
            this.free = new ConcurrentLinkedDeque<>(sessions);
            this.permits = new Semaphore(sessions.size(), true);
        }
    }

    private final @Nullable DriverThreads threads;
    private final List<Session> all;
    private final Row usual;
    private final Row kept;
    private final String target;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Shares sessions.
     *
     * @param number how many serve all calls; the others are reserved for heartbeats that find none of these free
     * @param target the database, as messages show it
     * @param threads runs drivers that must not run on a caller's thread; null if there is no such driver
     */
    Sessions(List<Session> all, int number, String target, @Nullable DriverThreads threads) {
        this.threads = threads;
        this.all = List.copyOf(all);
        this.usual = new Row(all.subList(0, number));
        this.kept = new Row(all.subList(number, all.size()));
        this.target = target;
    }

    /** Returns how many sessions serve all calls. */
    int number() {
        return usual.size;
    }

    /** Runs one call in its turn, and waits for rows that others have locked for as long as the call has time. */
    <T> T run(Deadline deadline, Session.Work<T> work) throws StoreFailure {
        return run(enter(deadline), deadline, true, work);
    }

    /** Runs one call in its turn; it fails if a row that it needs is locked, see {@link #isLocked}. */
    <T> T runUnlessLocked(Deadline deadline, Session.Work<T> work) throws StoreFailure {
        return run(enter(deadline), deadline, false, work);
    }

    /** Runs a heartbeat: if other calls use all sessions, a reserved one serves it. */
    <T> T beat(Deadline deadline, Session.Work<T> work) throws StoreFailure {
        Row row = usual.permits.tryAcquire() ? usual : kept.permits.tryAcquire() ? kept : enter(deadline);
        return run(row, deadline, false, work);
    }

    /** Returns whether a call failed because another transaction kept a row locked; nothing was executed then. */
    boolean isLocked(StoreFailure failure) {
        return dialect().isLocked(failure);
    }

    Dialect dialect() {
        return all.get(0).dialect();
    }

    /** Waits for a while, even if the caller is interrupted; returns false if the sessions were closed meanwhile. */
    boolean pause(long nanos) {
        return !Uninterrupted.await(Deadline.in(nanos), left -> end.await(left, TimeUnit.NANOSECONDS));
    }

    private <T> T run(Row row, Deadline deadline, boolean waits, Session.Work<T> work) throws StoreFailure {
        Session session = row.free.poll();
        if (session == null) {
            row.permits.release();
            throw closedFailure();
        }
        DriverThreads elsewhere = threads;
        Elsewhere.Call<T> call = time -> {
            try {
                return run(session, time, waits, work);
            } finally {
                leave(row, session);
            }
        };
        return elsewhere == null || !elsewhere.areNeeded(deadline)
                ? call.within(deadline)
                : Elsewhere.call(elsewhere, deadline, target, call, () -> leave(row, session));
    }

    private <T> T run(Session session, Deadline deadline, boolean waits, Session.Work<T> work) throws StoreFailure {
        if (closed.get()) {
            throw closedFailure();
        }
        try {
            return session.run(deadline, waits, work);
        } finally {
            if (session.hasBroken()) {
                all.forEach(Session::doubt);
            }
        }
    }

    private StoreFailure closedFailure() {
        return new StoreFailure(Effect.NONE, target + " was closed by this client", null);
    }

    private void leave(Row row, Session session) {
        row.free.push(session);
        row.permits.release();
        // The thread that removes the session closes it: either this one, or the one that closes them all.
        if (closed.get() && row.free.remove(session)) {
            session.close();
        }
    }

    private Row enter(Deadline deadline) throws StoreFailure {
        // Untimed first: a free session costs no reading of the clock.
        if (!usual.permits.tryAcquire() && !awaitTurn(deadline)) {
            throw busy(Effect.NONE);
        }
        return usual;
    }

    private boolean awaitTurn(Deadline deadline) {
        long before = deadline.leftNanos();
        boolean entered = await(usual, 1, deadline);
        if (entered && deadline.leftNanos() < before / LEAST_SHARE) {
            usual.permits.release();
            return false;
        }
        return entered;
    }

    /** Returns the failure of a call for which other threads left no time. */
    StoreFailure busy(Effect effect) {
        return new StoreFailure(
                effect,
                Reason.UNREACHABLE,
                target + " is busy: other threads of this client used all of the call's time" + trouble(),
                null);
    }

    /** The reason why the other threads wait, if it is known. */
    private String trouble() {
        return all.stream()
                .map(Session::trouble)
                .filter(Objects::nonNull)
                .findFirst()
                .map(why -> "; they had " + why)
                .orElse("");
    }

    /** Not interruptible: the engine undoes an interrupted caller's request, and needs an answer to do so. */
    private static boolean await(Row row, int turns, Deadline deadline) {
        return Uninterrupted.await(deadline, left -> row.permits.tryAcquire(turns, left, TimeUnit.NANOSECONDS));
    }

    /**
     * Closes the sessions, and refuses later calls. Takes a second at most if there is a network: if a call does not
     * end, its connection is broken.
     */
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        end.countDown();
        DriverThreads elsewhere = threads;
        Deadline quiet = Deadline.in(elsewhere == null ? FILE_QUIET_NANOS : QUIET_NANOS);
        awaitQuiet(usual, quiet);
        awaitQuiet(kept, quiet);
        if (elsewhere == null) {
            closeFree();
            return;
        }
        elsewhere.runFor(QUIET_NANOS, this::closeFree);
        // Not waited for: a driver may connect once more to tell its server.
        all.forEach(session -> elsewhere.execute(session::abort));
        elsewhere.close();
    }

    private static void awaitQuiet(Row row, Deadline deadline) {
        if (await(row, row.size, deadline)) {
            row.permits.release(row.size);
        }
    }

    private void closeFree() {
        closeFree(usual);
        closeFree(kept);
    }

    private static void closeFree(Row row) {
        for (Session session = row.free.poll(); session != null; session = row.free.poll()) {
            session.close();
        }
    }
}
