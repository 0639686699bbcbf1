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
 * Opens connections on other threads, because drivers and pools may block for as long as they like. A caller leaves
 * when its time is over; if one of Baton's own connections arrives later, the next caller gets it.
 *
 * <p>An attempt may stay silent forever: its packets were lost, and the network has recovered since. If an attempt is
 * older than the patience, another one starts beside it. The first connection that arrives is used, and a later one is
 * closed. The number of attempts is bounded: beyond {@value #SWIFT} the pauses between them double, and beyond
 * {@value #MOST} no attempt starts. For one caller at a time, except {@link #close}.
 */
final class Connecting implements Lender {
    /** Opens a connection, or takes one out of a pool. */
    interface Opener {
        Connection open() throws SQLException;
    }

    /** How many attempts follow each other before the pauses between them grow. */
    private static final int SWIFT = 3;

    /** The most attempts that may be alive at once. */
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

    /** Whether a call waits for a connection, or the last one got none. */
    private volatile boolean unserved;

    private boolean closed;
    private @Nullable Object newest;
    private @Nullable Connection arrived;
    private @Nullable Throwable failure;

    /**
     * Prepares to connect; the first attempt starts with the first call of {@link #lend}.
     *
     * @param shared whether the connections come out of a pool of the application
     * @param target the database, as messages show it
     * @param patienceNanos how old an attempt becomes before another one starts beside it
     * @param threads where drivers and pools may block
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
            // A failure that arrived while no caller was waiting says nothing about the present.
            if (failure != null) {
                forgetFailure();
            }
            wanted = true;
            unserved = true;
            Connection lent = await(deadline);
            unserved = false;
            return lent;
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

    /** Returns whether it is wanted: one out of a pool only while a caller waits, because others want it too. */
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

    /** Ends an attempt; ignores the failure of an older attempt, because a newer one is on its way. */
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

    @Override
    public @Nullable String trouble() {
        return unserved ? explain() : null;
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
            // The connection was never used.
        }
    }
}
