package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A few sessions that all threads share. A thread that finds none free waits in turn, at most as long as its call has
 * time. The session that was used last is used next, so that one thread alone keeps one connection. Thread-safe.
 *
 * <p>If a session finds its connection broken, the idle ones are probed before they are used again: what broke one
 * connection has often broken all of them, and each would fail one more call.
 */
final class Sessions {
    /** How long to wait at the end for calls that still run, and then for connections that are slow to close. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long FILE_QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final @Nullable DriverThreads threads;
    private final List<Session> all;
    private final Deque<Session> free;
    private final Semaphore permits;
    private final String target;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Shares sessions.
     *
     * @param target what they connect to, for people
     * @param threads where drivers run that must not run on a caller's thread; null if there is no such driver
     */
    Sessions(List<Session> all, String target, @Nullable DriverThreads threads) {
        this.threads = threads;
        this.all = List.copyOf(all);
        this.free = new ConcurrentLinkedDeque<>(all);
        this.permits = new Semaphore(all.size(), true);
        this.target = target;
    }

    /** Runs one call when it is its turn. */
    <T> T run(Deadline deadline, Session.Work<T> work) throws StoreFailure {
        enter(deadline);
        Session session = free.poll();
        if (session == null) {
            permits.release();
            throw closedFailure();
        }
        DriverThreads elsewhere = threads;
        DriverThreads.Call<T> call = () -> {
            try {
                return run(session, deadline, work);
            } finally {
                leave(session);
            }
        };
        return elsewhere == null || !elsewhere.areNeeded()
                ? call.call()
                : elsewhere.call(deadline, target, call, () -> leave(session));
    }

    private <T> T run(Session session, Deadline deadline, Session.Work<T> work) throws StoreFailure {
        if (closed.get()) {
            throw closedFailure();
        }
        try {
            return session.run(deadline, work);
        } finally {
            if (session.hasBroken()) {
                all.forEach(Session::doubt);
            }
        }
    }

    private StoreFailure closedFailure() {
        return new StoreFailure(Effect.NONE, target + " was closed by this client", null);
    }

    private void leave(Session session) {
        free.push(session);
        permits.release();
        // The one who removes it closes it: either this thread, or the one that closes them all.
        if (closed.get() && free.remove(session)) {
            session.close();
        }
    }

    private void enter(Deadline deadline) throws StoreFailure {
        // Untimed first: a free session costs no look at the clock.
        if (!permits.tryAcquire() && !await(1, deadline)) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNREACHABLE,
                    target + " is busy: other threads of this client used all of the call's time",
                    null);
        }
    }

    /** Not interruptible: the engine undoes what an interrupted caller asked for, and needs an answer to do so. */
    private boolean await(int turns, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return permits.tryAcquire(turns, deadline.leftNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Closes the sessions, and refuses later calls. Takes a second at most where there is a network: a call that does not
     * end is ended by breaking its connection.
     */
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        DriverThreads elsewhere = threads;
        if (await(all.size(), Deadline.in(elsewhere == null ? FILE_QUIET_NANOS : QUIET_NANOS))) {
            permits.release(all.size());
        }
        if (elsewhere == null) {
            closeFree();
            return;
        }
        elsewhere.runFor(QUIET_NANOS, this::closeFree);
        // Not waited for: a driver may connect once more to tell its server.
        all.forEach(session -> elsewhere.execute(session::abort));
        elsewhere.close();
    }

    private void closeFree() {
        for (Session session = free.poll(); session != null; session = free.poll()) {
            session.close();
        }
    }
}
