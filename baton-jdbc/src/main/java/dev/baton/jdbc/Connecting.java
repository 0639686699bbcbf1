package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Connects on other threads, because drivers and pools wait as long as they like. A caller whose time is over leaves, and
 * a connection of Baton's own that arrives later is for the next caller.
 *
 * <p>An attempt may be silent for good: its packets were lost, and the network has recovered since. If an attempt is older
 * than the patience, another is begun beside it. The first connection that arrives is used, a later one is closed. The
 * number of attempts is bounded: beyond {@value #SWIFT} the pauses between them double, beyond {@value #MOST} none is
 * begun. For one caller at a time, except {@link #close}.
 */
final class Connecting implements Lender {
    /** Opens a connection, or takes one out of a pool. */
    interface Opener {
        Connection open() throws SQLException;
    }

    /** So many attempts follow each other without growing pauses. */
    private static final int SWIFT = 3;

    /** At most so many attempts are alive. */
    static final int MOST = 8;

    private final Opener opener;
    private final String target;
    private final Executor threads;
    private final boolean shared;
    private final long patienceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Deadline patience = Deadline.in(0);
    private int alive;
    private boolean wanted;
    private boolean closed;
    private @Nullable Object newest;
    private @Nullable Connection arrived;
    private @Nullable Throwable failure;

    /**
     * Connects when it is asked.
     *
     * @param shared whether it takes connections out of a pool of the application's
     * @param target what it connects to, for people
     * @param patienceNanos how old an attempt becomes before another is begun beside it
     * @param threads where drivers and pools may wait
     */
    Connecting(Opener opener, boolean shared, String target, long patienceNanos, Executor threads) {
        this.opener = opener;
        this.shared = shared;
        this.target = target;
        this.patienceNanos = patienceNanos;
        this.threads = threads;
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public Connection lend(Deadline deadline) throws SQLException, StoreFailure {
        lock.lock();
        try {
            // A failure that came while nobody waited says nothing about now.
            if (failure != null) {
                forgetFailure();
            }
            wanted = true;
            return await(deadline);
        } finally {
            wanted = false;
            lock.unlock();
        }
    }

    private Connection await(Deadline deadline) throws SQLException, StoreFailure {
        boolean interrupted = false;
        try {
            while (arrived == null) {
                requireOpen();
                startIfDue();
                throwFailure();
                long left = deadline.leftNanos();
                if (left <= 0) {
                    throw new StoreFailure(Effect.NONE, Reason.UNREACHABLE, explain(), null);
                }
                try {
                    long unused = changed.awaitNanos(Math.min(left, untilNextNanos()));
                } catch (InterruptedException kept) {
                    interrupted = true;
                }
            }
            Connection connection = arrived;
            arrived = null;
            return connection;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void requireOpen() throws StoreFailure {
        if (closed) {
            throw new StoreFailure(Effect.NONE, target + " was closed by this client", null);
        }
    }

    private long untilNextNanos() {
        return alive >= MOST ? TimeUnit.SECONDS.toNanos(1) : Math.max(1, patience.leftNanos());
    }

    private void startIfDue() {
        if (alive == 0 || (alive < MOST && patience.leftNanos() <= 0)) {
            Object attempt = new Object();
            newest = attempt;
            patience = Deadline.in(patienceNanos << Math.max(0, alive - SWIFT));
            alive++;
            try {
                threads.execute(() -> open(attempt));
            } catch (RejectedExecutionException | Error noThread) {
                alive--;
                failure = noThread;
            }
        }
    }

    private void throwFailure() throws SQLException {
        Throwable failed = failure;
        if (failed != null) {
            forgetFailure();
            throw failed instanceof SQLException said ? said : new SQLException("cannot connect: " + failed, failed);
        }
    }

    private void forgetFailure() {
        failure = null;
        patience = Deadline.in(0);
    }

    private void open(Object attempt) {
        Connection connection = null;
        Throwable failed = null;
        try {
            connection = opener.open();
        } catch (SQLException | RuntimeException | Error e) {
            failed = e;
        }
        if (connection != null && !hasTaken(connection)) {
            closeQuietly(connection);
        }
        ended(attempt, failed);
    }

    /** Whether it is wanted: a connection out of a pool only if a caller waits for it, because others want it too. */
    private boolean hasTaken(Connection connection) {
        lock.lock();
        try {
            boolean taken = !closed && arrived == null && (wanted || !shared);
            if (taken) {
                arrived = connection;
                changed.signalAll();
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** What an older attempt failed with is history: a newer one is on its way. */
    private void ended(Object attempt, @Nullable Throwable failed) {
        lock.lock();
        try {
            alive--;
            if (attempt == newest) {
                failure = failed;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private String explain() {
        return shared
                ? "no connection to " + target + " in time: all connections of the DataSource's pool are in use, or the"
                        + " database does not answer. The likely cause is that threads ask for locks inside a"
                        + " transaction: each keeps a connection of the pool and waits for another. Let each ask before"
                        + " its transaction, or give Baton a pool of its own, of one connection"
                : "no connection to " + target + " in time: is it running there, and reachable from here?";
    }

    @Override
    public void close() {
        Connection left;
        lock.lock();
        try {
            closed = true;
            left = arrived;
            arrived = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (left != null) {
            closeQuietly(left);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // It was never used.
        }
    }
}
