package dev.baton.jdbc;

import dev.baton.internal.store.Uninterrupted;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Push;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * LISTEN, on a connection and a thread of its own, from the first time that a caller waits. A push is a hint: while
 * this client receives none, its waiters poll as they do with any other database.
 *
 * <p>This class does not trust that notifications arrive. Now and then it tests it with a note to itself through
 * another connection: a pooler that gives each transaction another server connection accepts LISTEN, but delivers
 * nothing. Thread-safe.
 */
final class PostgresqlListening implements Listening {
    /** Asked for several times with each command. */
    private static final Capabilities PUSHING = Databases.POSTGRESQL.capabilities(true);

    private static final Capabilities POLLING = Databases.POSTGRESQL.capabilities(false);

    private static final System.Logger LOG = System.getLogger("dev.baton");
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** The longest extra delay for the first waiter, once. */
    private static final long FIRST_TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** The delay also takes at most this part of the call's time, so that a short wait still gets its answer. */
    private static final int FIRST_TRY_SHARE = 4;

    /** A note that takes longer is lost; also how often one is sent while nothing else arrives. */
    private static final int HELLO_MILLIS = 5_000;

    /** The note to itself. */
    private static final String HELLO = "";

    private final Lender lender;
    private final Sessions sessions;
    private final StoreListener listener;
    private final String channel;
    private final String target;
    private final Thread thread;
    private final CountDownLatch firstTry = new CountDownLatch(1);
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean hearing;
    private volatile boolean heardOnce;
    private volatile boolean unstartable;
    private volatile boolean closed;
    private volatile @Nullable Connection connection;
    private boolean warned;
    private long malformedNotes;

    /**
     * Prepares to listen; {@link #start} begins.
     *
     * @param lender of the connection
     * @param sessions other connections to the same database
     * @param client whose channel it is
     * @param target the database, as messages show it
     */
    PostgresqlListening(
            Lender lender, Sessions sessions, StoreListener listener, String client, String target, String threadName) {
        this.lender = lender;
        this.sessions = sessions;
        this.listener = listener;
        this.channel = Notifications.channel(client);
        this.target = target;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    @Override
    public Capabilities capabilities() {
        return hearing || (!started.get() && !unstartable) ? PUSHING : POLLING;
    }

    /** True until the first try has failed, and always after a try has worked: a broken connection is soon replaced. */
    @Override
    public boolean isWorthwhile() {
        return started.get() && (heardOnce || firstTry.getCount() > 0);
    }

    @Override
    public void start(Deadline deadline) {
        if (!started.get() && started.compareAndSet(false, true)) {
            startThread();
            awaitFirstTry(
                    Deadline.in(unstartable ? 0 : Math.min(FIRST_TRY_NANOS, deadline.leftNanos() / FIRST_TRY_SHARE)));
        }
    }

    /** If this process can start no more threads, waiters poll until a later call succeeds in starting it. */
    private void startThread() {
        try {
            thread.start();
            unstartable = false;
        } catch (OutOfMemoryError limit) {
            unstartable = true;
            started.set(false);
        }
    }

    /** Waits until the subscription stands, so that the grant of the first ticket is received. */
    private void awaitFirstTry(Deadline deadline) {
        boolean unused = Uninterrupted.await(deadline, left -> firstTry.await(left, TimeUnit.NANOSECONDS));
    }

    private void run() {
        long pause = FIRST_PAUSE_NANOS;
        while (!closed) {
            boolean heard = listen();
            hearing = false;
            firstTry.countDown();
            pause = heard ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, pause * 2);
            if (!closed) {
                LockSupport.parkNanos(this, pause);
            }
        }
    }

    /** Listens until the connection breaks or proves deaf; returns whether any notification arrived. */
    private boolean listen() {
        boolean heard = false;
        try {
            Connection open = lender.lend(Deadline.in(TimeUnit.MILLISECONDS.toNanos(HELLO_MILLIS)));
            connection = open;
            try (Statement statement = open.createStatement()) {
                statement.execute("LISTEN \"" + channel + '"');
            }
            PostgresqlDriver postgres = PostgresqlDriver.of(open);
            while (!closed) {
                sayHello();
                boolean back = false;
                while (!closed && hear(postgres)) {
                    back = true;
                    if (!hearing) {
                        hearing = true;
                        heardOnce = true;
                        heard = true;
                        firstTry.countDown();
                        // Earlier grants were not pushed.
                        listener.onReconnect();
                    }
                }
                if (!back) {
                    throw new SQLException("LISTEN hears nothing, as through a pooler that pools transactions");
                }
            }
        } catch (SQLException | StoreFailure | RuntimeException broken) {
            warn(broken);
        } finally {
            drop();
        }
        return heard;
    }

    /** Sends a note to itself, through another connection. */
    private void sayHello() throws StoreFailure {
        sessions.run(Deadline.in(TimeUnit.MILLISECONDS.toNanos(HELLO_MILLIS)), session -> {
            Values values = new Values().with(Param.CHANNEL, channel).with(Param.PAYLOAD, HELLO);
            session.query(Sql.PUSH_GRANT, values).close();
            return true;
        });
    }

    /** Waits for notes; returns whether any arrived in time. */
    private boolean hear(PostgresqlDriver postgres) throws SQLException {
        List<String> notes = postgres.notes(HELLO_MILLIS);
        for (String note : notes) {
            if (!note.equals(HELLO)) {
                tell(note);
            }
        }
        return !notes.isEmpty();
    }

    /** Every role of the database may notify every channel: notes that are not Baton's are only counted. */
    private void tell(String note) {
        Push push;
        try {
            push = Notifications.push(note);
        } catch (IllegalArgumentException malformed) {
            malformedNotes++;
            if (Long.bitCount(malformedNotes) == 1) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        malformedNotes + " malformed notifications so far on Baton's channel at " + target
                                + " were ignored: another user of the database sends them");
            }
            return;
        }
        listener.onPush(push);
    }

    /** Warns once: the listener retries, and meanwhile only a little time is lost. */
    private void warn(Exception why) {
        if (!warned && !closed) {
            warned = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Grants pushed by PostgreSQL at " + target + " are not heard (" + why.getMessage()
                            + "); clients that wait ask instead, every 50 ms at the longest");
        }
    }

    private void drop() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                // The connection is broken anyway.
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Connection open = connection;
        if (open != null) {
            try {
                // Closing would wait for the thread that reads from it.
                open.abort(Runnable::run);
            } catch (SQLException e) {
                // The thread ends when it next checks the flag.
            }
        }
        lender.close();
        LockSupport.unpark(thread);
    }
}
