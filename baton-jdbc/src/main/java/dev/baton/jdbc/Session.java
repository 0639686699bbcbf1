package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection, used by one thread at a time, with its prepared statements and what is known of their effect.
 *
 * <p>Threads wait for their turn at most as long as their call has time. The connection is in autocommit mode;
 * transactions are begun and ended by statements. A busy database is asked again until the call's time is over, which
 * is safe because nothing was executed; anything else that goes wrong closes the connection, and the next call opens
 * another one.
 *
 * <p>What is known when an error comes: before a commit was sent nothing has taken effect, unless a statement
 * committed by itself. From then on only the answer tells.
 */
final class Session {
    /** Opens a connection. */
    interface Connector {
        Connection connect() throws SQLException;
    }

    /** What a call does on the session. */
    interface Work<T> {
        T on(Session session) throws SQLException, StoreFailure;
    }

    private static final String ANSWERS = " -> ";

    private final ReentrantLock turn = new ReentrantLock();
    private final Map<Sql, PreparedStatement> prepared = new EnumMap<>(Sql.class);
    private final Dialect dialect;
    private final Connector connector;
    private final List<String> setup;
    private final String target;
    private @Nullable Connection connection;
    private long waitLimitMillis;
    private boolean inTransaction;
    private boolean mayHaveCommitted;
    private boolean committing;
    private boolean closed;

    /**
     * A session that connects when it is first used.
     *
     * @param setup statements for a new connection, each with the answer it must give behind {@value #ANSWERS}
     * @param target what it connects to, for people
     */
    Session(Dialect dialect, Connector connector, List<String> setup, String target) {
        this.dialect = dialect;
        this.connector = connector;
        this.setup = setup;
        this.target = target;
    }

    /** Runs one call when it is its turn. */
    <T> T run(Deadline deadline, Work<T> work) throws StoreFailure {
        enter(deadline);
        try {
            return attempt(deadline, work);
        } finally {
            turn.unlock();
        }
    }

    /** Runs work in a transaction. */
    <T> T transaction(Work<T> work) throws SQLException, StoreFailure {
        execute(Sql.BEGIN);
        inTransaction = true;
        T result = work.on(this);
        committing = true;
        execute(Sql.COMMIT);
        committing = false;
        inTransaction = false;
        return result;
    }

    /** Asks; the caller closes the answer. */
    ResultSet query(Sql sql, Values values) throws SQLException {
        Query query = dialect.query(sql);
        PreparedStatement statement = statement(sql, query);
        values.bind(statement, query);
        return statement.executeQuery();
    }

    /** Changes rows. */
    int update(Sql sql, Values values) throws SQLException {
        Query query = dialect.query(sql);
        PreparedStatement statement = statement(sql, query);
        values.bind(statement, query);
        return statement.executeUpdate();
    }

    /**
     * Changes at most one row, and returns the numbers that the statement returns for it. Outside a transaction the
     * statement commits when its answer was read to the end, so it is.
     *
     * @param columns how many numbers
     * @return null if no row was changed
     */
    long @Nullable [] change(Sql sql, Values values, int columns) throws SQLException {
        mayHaveCommitted = !inTransaction;
        try (ResultSet rows = query(sql, values)) {
            committing = !inTransaction;
            long[] row = rows.next() ? numbers(rows, columns) : null;
            if (row != null && rows.next()) {
                throw new IllegalStateException(sql + " changed more than one row");
            }
            committing = false;
            mayHaveCommitted = false;
            return row;
        }
    }

    /** Runs text that is not one of the dialect's prepared statements; returns the first column, if there is one. */
    @Nullable
    String execute(String sql) throws SQLException {
        try (Statement statement = open().createStatement()) {
            if (!statement.execute(sql)) {
                return null;
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }

    /** What the database says of itself. */
    Map<String, String> facts() throws SQLException {
        Map<String, String> facts = new LinkedHashMap<>();
        for (Dialect.Fact fact : dialect.facts()) {
            facts.put(fact.label(), String.valueOf(execute(fact.statement())));
        }
        return facts;
    }

    /**
     * Tells the connection how long to wait for other processes. The limit is rounded down to a power of two, so that
     * calls with about the same time left need not tell it again; what is lost by rounding is waited for in rounds.
     */
    void limitWaiting(long millis) throws SQLException {
        long limit = millis <= 0 ? 0 : Math.min(Long.highestOneBit(millis), 1 << 20);
        if (limit != waitLimitMillis) {
            execute(dialect.waitLimit().replace("{millis}", Long.toString(limit)));
            waitLimitMillis = limit;
        }
    }

    void close() {
        turn.lock();
        try {
            closed = true;
            drop();
        } finally {
            turn.unlock();
        }
    }

    private <T> T attempt(Deadline deadline, Work<T> work) throws StoreFailure {
        while (true) {
            boolean done = false;
            try {
                begin(deadline);
                T result = work.on(this);
                done = true;
                return result;
            } catch (SQLException e) {
                giveUpOrRetry(e, deadline);
            } catch (UncheckedSqlException e) {
                giveUpOrRetry(e.said(), deadline);
            } finally {
                if (!done) {
                    rollBack();
                }
            }
        }
    }

    private void begin(Deadline deadline) throws SQLException, StoreFailure {
        if (closed) {
            throw new StoreFailure(Effect.NONE, target + " was closed by this client", null);
        }
        mayHaveCommitted = false;
        committing = false;
        // At least one millisecond: rounded to nothing, a short call would not wait at all.
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.leftNanos()));
        if (connection == null) {
            connect(millis);
        }
        limitWaiting(millis);
    }

    private void connect(long millis) throws SQLException, StoreFailure {
        connection = connector.connect();
        boolean done = false;
        try {
            limitWaiting(millis);
            for (String statement : setup) {
                setUp(statement);
            }
            done = true;
        } finally {
            if (!done) {
                drop();
            }
        }
    }

    private void setUp(String line) throws SQLException, StoreFailure {
        int arrow = line.indexOf(ANSWERS);
        String statement = arrow < 0 ? line : line.substring(0, arrow);
        String answer = execute(statement);
        if (arrow >= 0 && !line.substring(arrow + ANSWERS.length()).equals(answer)) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    target + " cannot be used: \"" + statement + "\" answered \"" + answer
                            + "\". Is it on a network file system? Put it on a local disk",
                    null);
        }
    }

    private void giveUpOrRetry(SQLException e, Deadline deadline) throws StoreFailure {
        boolean busy = dialect.busyCodes().contains(e.getErrorCode());
        if (!busy || committing) {
            Effect effect = effectAfter(e);
            drop();
            throw failure(effect, e);
        }
        if (deadline.leftNanos() <= 0) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNREACHABLE,
                    target + " is busy: other processes wrote to it for all of the call's time",
                    e);
        }
    }

    private Effect effectAfter(SQLException e) {
        boolean refused = dialect.refusals().containsKey(e.getErrorCode());
        return committing || (mayHaveCommitted && !refused) ? Effect.UNKNOWN : Effect.NONE;
    }

    /** What people are told. */
    StoreFailure failure(Effect effect, SQLException e) {
        Dialect.Refusal refusal = dialect.refusals().get(e.getErrorCode());
        if (refusal != null) {
            return new StoreFailure(effect, refusal.reason(), refusal.advice().replace("{target}", target), e);
        }
        String message = dialect.capabilities().store() + " failed on " + target + ": " + e.getMessage();
        return new StoreFailure(effect, message, e);
    }

    private void rollBack() {
        if (inTransaction && connection != null) {
            try {
                execute(Sql.ROLLBACK);
            } catch (SQLException e) {
                // Closing the connection rolls back as well.
                drop();
            }
        }
        inTransaction = false;
    }

    private void enter(Deadline deadline) throws StoreFailure {
        // Untimed first: a free session costs no look at the clock.
        if (!turn.tryLock() && !awaitTurn(deadline)) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNREACHABLE,
                    target + " is busy: other threads of this client used all of the call's time",
                    null);
        }
    }

    /** Not interruptible: the engine undoes what an interrupted caller asked for, and needs an answer to do so. */
    private boolean awaitTurn(Deadline deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return turn.tryLock(deadline.leftNanos(), TimeUnit.NANOSECONDS);
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

    private void execute(Sql sql) throws SQLException {
        statement(sql, dialect.query(sql)).execute();
    }

    private PreparedStatement statement(Sql sql, Query query) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = open().prepareStatement(query.text());
            prepared.put(sql, statement);
        }
        return statement;
    }

    private Connection open() {
        if (connection == null) {
            throw new IllegalStateException("not connected");
        }
        return connection;
    }

    private void drop() {
        Connection dropped = connection;
        connection = null;
        inTransaction = false;
        prepared.clear();
        waitLimitMillis = 0;
        if (dropped != null) {
            try {
                dropped.close();
            } catch (SQLException e) {
                // It is not used any more, and its file is closed with it or with the process.
            }
        }
    }

    private static long[] numbers(ResultSet rows, int columns) throws SQLException {
        long[] numbers = new long[columns];
        for (int i = 0; i < columns; i++) {
            numbers[i] = rows.getLong(i + 1);
        }
        return numbers;
    }
}
