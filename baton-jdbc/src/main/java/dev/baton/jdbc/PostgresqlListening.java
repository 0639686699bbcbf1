package dev.baton.jdbc;

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
 * LISTEN, on a connection and a thread of its own, from the first time that somebody waits on. A push is a hint: while
 * nobody hears, waiting clients ask as they do with any other database.
 *
 * <p>Whether anything is heard is not believed but tried, now and then, by a note to oneself through another connection:
 * a pooler that gives each transaction another server connection says yes to LISTEN, and is deaf. Thread-safe.
 */
final class PostgresqlListening implements Listening {
    private static final System.Logger LOG = System.getLogger("dev.baton");
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Whoever waits first waits so much longer at most, once. */
    private static final long FIRST_TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** And no longer than this part of its time: whoever waits shortly is to be answered all the same. */
    private static final int FIRST_TRY_SHARE = 4;

    /** A note that takes longer does not come any more; also how often one is sent while nothing else is heard. */
    private static final int HELLO_MILLIS = 5_000;

    /** The note to oneself. */
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
     * Listens when it is started.
     *
     * @param lender of the connection
     * @param sessions other connections to the same database
     * @param client whose channel it is
     * @param target what it connects to, for people
     */
    PostgresqlListening(
            Lender lender, Sessions sessions, StoreListener listener, String client, String target, String threadName) {
        this.lender = lender;
        this.sessions = sessions;
        this.listener = listener;
        this.channel = Notes.channel(client);
        this.target = target;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    @Override
    public Capabilities capabilities() {
        return Databases.POSTGRESQL.capabilities(hearing || (!started.get() && !unstartable));
    }

    /** Until the first try has failed, and whenever it has worked once: a connection that broke is soon made anew. */
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

    /** Where this process can start no more threads, tickets are asked about until a later one finds that it can. */
    private void startThread() {
        try {
            thread.start();
            unstartable = false;
        } catch (OutOfMemoryError limit) {
            unstartable = true;
            started.set(false);
        }
    }

    /** The first ticket comes after the subscription, so that its grant is heard. */
    private void awaitFirstTry(Deadline deadline) {
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting && deadline.leftNanos() > 0) {
            try {
                waiting = !firstTry.await(deadline.leftNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException kept) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
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

    /** Listens until the connection breaks or is deaf; returns whether anything was ever heard. */
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
                        // What was granted before, nobody has told.
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

    /** A note to oneself, through another connection. */
    private void sayHello() throws StoreFailure {
        sessions.run(Deadline.in(TimeUnit.MILLISECONDS.toNanos(HELLO_MILLIS)), session -> {
            Values values = new Values().with(Param.CHANNEL, channel).with(Param.PAYLOAD, HELLO);
            session.query(Sql.PUSH_GRANT, values).close();
            return true;
        });
    }

    /** Waits for notes; returns whether there were any in time. */
    private boolean hear(PostgresqlDriver postgres) throws SQLException {
        List<String> notes = postgres.notes(HELLO_MILLIS);
        for (String note : notes) {
            if (!note.equals(HELLO)) {
                tell(note);
            }
        }
        return !notes.isEmpty();
    }

    /** Every role of the database may notify every channel: what is no note of Baton's is counted, and changes nothing. */
    private void tell(String note) {
        Push push;
        try {
            push = Notes.push(note);
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

    /** Once: it is retried, and what it costs is a little time. */
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
                // It is broken anyway.
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Connection open = connection;
        if (open != null) {
            try {
                // Closing would wait for who reads from it.
                open.abort(Runnable::run);
            } catch (SQLException e) {
                // The thread ends at its next look.
            }
        }
        lender.close();
        LockSupport.unpark(thread);
    }
}
