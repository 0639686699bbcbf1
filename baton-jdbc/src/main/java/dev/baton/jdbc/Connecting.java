package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Connects on another thread, because drivers and pools wait as long as they like: a caller whose time is over goes,
 * and the connection, when it comes, is for the next one. At most one is on its way. For one caller at a time, except
 * {@link #close}.
 */
final class Connecting implements Lender {
    /** Opens a connection, or takes one out of a pool. */
    interface Opener {
        Connection open() throws SQLException;
    }

    private final Opener opener;
    private final String target;
    private final Executor threads;
    private final boolean shared;
    private volatile @Nullable CompletableFuture<Connection> coming;
    private volatile boolean closed;

    /**
     * Connects when it is asked.
     *
     * @param shared whether it takes connections out of a pool of the application's
     * @param target what it connects to, for people
     * @param threads where drivers and pools may wait
     */
    Connecting(Opener opener, boolean shared, String target, Executor threads) {
        this.opener = opener;
        this.shared = shared;
        this.target = target;
        this.threads = threads;
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public Connection lend(Deadline deadline) throws SQLException, StoreFailure {
        CompletableFuture<Connection> future = coming;
        // What failed while nobody waited says nothing of now.
        if (future == null || future.isCompletedExceptionally()) {
            future = start();
            coming = future;
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Connection connection = future.get(Math.max(1, deadline.leftNanos()), TimeUnit.NANOSECONDS);
                    coming = null;
                    return connection;
                } catch (InterruptedException kept) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException late) {
            throw new StoreFailure(Effect.NONE, Reason.UNREACHABLE, explain(), null);
        } catch (ExecutionException failed) {
            coming = null;
            throw failed.getCause() instanceof SQLException said
                    ? said
                    : new SQLException("cannot connect: " + failed.getCause(), failed.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String explain() {
        return shared
                ? "no connection to " + target + " in time: the pool of the DataSource is exhausted (make it larger, or"
                        + " look for connections that are not closed), or the database does not answer"
                : "no connection to " + target + " in time: is it running there, and reachable from here?";
    }

    private CompletableFuture<Connection> start() {
        CompletableFuture<Connection> future = new CompletableFuture<>();
        threads.execute(() -> open(future));
        return future;
    }

    private void open(CompletableFuture<Connection> future) {
        try {
            Connection connection = opener.open();
            future.complete(connection);
            if (closed) {
                connection.close();
            }
        } catch (SQLException | RuntimeException | Error failure) {
            future.completeExceptionally(failure);
        }
    }

    @Override
    public void close() {
        closed = true;
        CompletableFuture<Connection> left = coming;
        if (left != null) {
            CompletableFuture<Void> unused = left.thenAccept(Connecting::closeQuietly);
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
