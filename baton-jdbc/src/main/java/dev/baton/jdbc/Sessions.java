package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.spi.VirtualThreads;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few sessions that all threads share. Who finds none free waits in turn, at most as long as its call has time. The
 * session that was used last is used next, so that one thread alone keeps one connection. Thread-safe.
 */
final class Sessions {
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final @Nullable Executor threads;
    private final List<Session> all;
    private final Deque<Session> free;
    private final Semaphore permits;
    private final String target;
    private volatile boolean closed;

    /**
     * Shares sessions.
     *
     * @param target what they connect to, for people
     * @param threads where to speak over sockets for virtual threads, which lose them when they are interrupted; null
     *     where there are no sockets
     */
    Sessions(List<Session> all, String target, @Nullable Executor threads) {
        this.threads = threads;
        this.all = List.copyOf(all);
        this.free = new ConcurrentLinkedDeque<>(all);
        this.permits = new Semaphore(all.size(), true);
        this.target = target;
    }

    /** Runs one call when it is its turn. */
    <T> T run(Deadline deadline, Session.Work<T> work) throws StoreFailure {
        enter(deadline);
        Session session = free.pop();
        try {
            if (closed) {
                throw new StoreFailure(Effect.NONE, target + " was closed by this client", null);
            }
            Executor elsewhere = threads;
            return elsewhere == null
                    ? session.run(deadline, work)
                    : VirtualThreads.call(elsewhere, () -> session.run(deadline, work));
        } finally {
            free.push(session);
            permits.release();
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

    /** Closes the sessions when the calls that run have ended, or do not seem to; later calls are refused. */
    void close() {
        closed = true;
        boolean quiet = await(all.size(), Deadline.in(CLOSE_NANOS));
        try {
            all.forEach(Session::close);
        } finally {
            if (quiet) {
                permits.release(all.size());
            }
        }
    }
}
