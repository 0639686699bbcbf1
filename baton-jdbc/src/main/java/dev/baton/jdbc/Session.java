package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection with its prepared statements, for one thread at a time; it knows whether a failed call had an effect.
 *
 * <p>The connection is in autocommit mode between transactions. If the database is busy (another client's lock, a
 * deadlock, a serialization failure), the session retries until the call's time is over, which is safe because nothing
 * was executed. Any other error closes the connection, and the next call opens another one.
 *
 * <p>If an error comes before a commit was sent, nothing has taken effect, unless a statement committed by itself.
 * After that, only the answer tells.
 */
final class Session {
    /** The work of a call on the session. */
    interface Work<T> {
        T on(Session session) throws SQLException, StoreFailure;
    }

    private static final String ANSWERS = " -> ";
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PROBE_SHARE = 4;

    private final Statements statements;
    private final Dialect dialect;
    private final Lender lender;
    private final List<String> setup;
    private final Redaction redaction;
    private final String target;
    private volatile @Nullable Connection connection;
    private final List<Later> later = new ArrayList<>(0);
    private Deadline deadline = Deadline.in(0);
    private long waitLimitMillis;
    private @Nullable LentSettings before;
    private boolean limitsNetwork = true;
    private boolean inTransaction;
    private boolean mayHaveCommitted;
    private boolean committing;
    private boolean waitsForRows;
    private boolean broken;
    private boolean pooled;
    private @Nullable String timeline;
    private volatile boolean doubted;

    /**
     * Creates a session that connects on first use.
     *
     * @param setup statements for a new connection, each with the required answer behind {@value #ANSWERS}
     * @param redaction removes secrets from the driver's messages
     * @param target the database, as messages show it
     */
    Session(Dialect dialect, Lender lender, List<String> setup, Redaction redaction, String target) {
        this.dialect = dialect;
        this.statements = new Statements(dialect);
        this.lender = lender;
        this.setup = setup;
        this.redaction = redaction;
        this.target = target;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Runs one call, and waits for rows that others have locked for as long as the call has time. */
    <T> T run(Deadline until, Work<T> work) throws StoreFailure {
        return run(until, true, work);
    }

    /**
     * Runs one call.
     *
     * @param waits whether the call keeps waiting for a locked row after the database's lock time-out; otherwise it
     *     fails then, with a failure that {@link Dialect#isLocked(StoreFailure)} recognizes
     */
    <T> T run(Deadline until, boolean waits, Work<T> work) throws StoreFailure {
        deadline = until;
        waitsForRows = waits;
        while (true) {
            boolean done = false;
            try {
                begin();
                T result = work.on(this);
                done = true;
                return result;
            } catch (SQLException e) {
                giveUpOrRetry(e);
            } catch (UncheckedSqlException e) {
                giveUpOrRetry(e.said());
            } finally {
                if (!done) {
                    rollBack();
                }
                giveBack();
            }
        }
    }

    /** A statement to execute after a transaction has committed. */
    private record Later(Sql sql, Values values) {}

    /** Executes a statement after the transaction has committed: it is a hint, so its failure is ignored. */
    void afterCommit(Sql sql, Values values) {
        later.add(new Later(sql, values));
    }

    /** Runs work in a transaction. */
    <T> T transaction(Work<T> work) throws SQLException, StoreFailure {
        later.clear();
        inTransaction = true;
        setAutoCommit(Sql.BEGIN, Sql.BEGIN_LIMITED, false);
        T result = work.on(this);
        committing = true;
        setAutoCommit(Sql.COMMIT, Sql.COMMIT_LIMITED, true);
        committing = false;
        inTransaction = false;
        executeLater();
        return result;
    }

    /** The commit stands: if one of the statements fails, the next call gets another connection. */
    private void executeLater() {
        try {
            for (Later each : later) {
                query(each.sql(), each.values()).close();
            }
        } catch (SQLException e) {
            drop();
        } finally {
            later.clear();
        }
    }

    /** Requesting autocommit commits, as JDBC specifies, in one round trip. */
    private void setAutoCommit(Sql byStatement, Sql limited, boolean on) throws SQLException {
        if (dialect.has(byStatement)) {
            execute(byStatement);
        } else if (isLimited(limited)) {
            execute(limited);
        } else {
            limitNetwork();
            open().setAutoCommit(on);
        }
    }

    /** Runs a query; the caller closes the result. */
    ResultSet query(Sql sql, Values values) throws SQLException {
        return statement(sql, values).executeQuery();
    }

    /** Runs a statement that changes rows, and returns their number. */
    int update(Sql sql, Values values) throws SQLException {
        return statement(sql, values).executeUpdate();
    }

    /**
     * Changes at most one row, and returns the numbers that the statement answers for it.
     *
     * @param columns the most numbers that it answers
     * @return null if no row was changed
     */
    long @Nullable [] change(Sql sql, Values values, int columns) throws SQLException {
        List<long[]> rows = changeAll(sql, values, columns);
        // MySQL counts a row that it changed instead of adding it as two.
        if (rows.size() > 1 && !dialect.answersByKey()) {
            throw new IllegalStateException(sql + " changed more than one row");
        }
        return rows.isEmpty() ? null : rows.get(0);
    }

    /**
     * Changes rows, and returns the numbers that the statement answers for each. Outside a transaction the statement
     * commits once its answer was read to the end, so this method reads it to the end.
     */
    List<long[]> changeAll(Sql sql, Values values, int columns) throws SQLException {
        mayHaveCommitted = !inTransaction;
        PreparedStatement statement = statement(sql, values);
        List<long[]> rows = dialect.answersByKey() ? Statements.byKey(statement) : byRows(statement, columns);
        committing = false;
        mayHaveCommitted = false;
        return rows;
    }

    private List<long[]> byRows(PreparedStatement statement, int columns) throws SQLException {
        List<long[]> numbers = new ArrayList<>(1);
        try (ResultSet rows = statement.executeQuery()) {
            committing = !inTransaction;
            while (rows.next()) {
                numbers.add(Statements.numbers(rows, columns));
            }
        }
        return numbers;
    }

    /** Runs text that is not one of the dialect's prepared statements; returns the first column, if there is one. */
    @Nullable
    String execute(String sql) throws SQLException {
        limitNetwork();
        try (Statement statement = open().createStatement()) {
            if (!statement.execute(sql)) {
                return null;
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }

    /** Returns a text about the database, without the secrets of its address. */
    String withoutSecrets(@Nullable String text) {
        return redaction.text(text);
    }

    /** Returns the database, as messages show it. */
    String target() {
        return target;
    }

    /** Stops a loop that a database which contradicts itself would keep running forever. */
    void requireTime() throws SQLException {
        if (deadline.leftNanos() <= 0) {
            throw new SQLTimeoutException("rows that it says are there are not found for all of the call's time: others"
                    + " change them all the time, or this user may not see them");
        }
    }

    /** Returns whether a pooler was seen between a connection of Baton's own and the server. */
    boolean isPooled() {
        return pooled;
    }

    /** Returns whether the connection leads to one server as long as it lives. */
    boolean isDirect() {
        return !pooled && !lender.isShared();
    }

    /** Returns the timeline on which the connection's server may grant; null if unknown. */
    @Nullable
    String timeline() {
        return timeline;
    }

    void setTimeline(@Nullable String known) {
        timeline = known;
    }

    /** Returns the product name that the driver reports. */
    String product() throws SQLException {
        return String.valueOf(open().getMetaData().getDatabaseProductName());
    }

    void close() {
        drop();
        lender.close();
    }

    /** Breaks the connection under a running call. Only this method and {@link #doubt} may be called by any thread. */
    void abort() {
        lender.close();
        Connection used = connection;
        if (used != null && !lender.isShared()) {
            try {
                used.abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                // The call ends when its own time is over.
            }
        }
    }

    /** Marks this session to be probed before its next use, because another session's connection broke. */
    void doubt() {
        doubted = true;
    }

    /** Returns whether the last call found the connection broken; reports it once. */
    boolean hasBroken() {
        boolean was = broken;
        broken = false;
        return was;
    }

    private void begin() throws SQLException, StoreFailure {
        mayHaveCommitted = false;
        committing = false;
        if (doubted) {
            doubted = false;
            if (connection != null && !answers()) {
                drop();
            }
        }
        if (connection == null) {
            connect();
        }
        limitWaiting();
    }

    /** Probes with one small query and a small part of the call's time: the rest is for connecting anew. */
    private boolean answers() {
        Deadline whole = deadline;
        deadline = whole.orIn(Math.min(PROBE_NANOS, whole.leftNanos() / PROBE_SHARE));
        try {
            execute("SELECT 1");
            return true;
        } catch (SQLException e) {
            return false;
        } finally {
            deadline = whole;
        }
    }

    /** Returns why its calls get no connection; null if they do. Any thread may ask. */
    @Nullable
    String trouble() {
        return lender.trouble();
    }

    private void connect() throws SQLException, StoreFailure {
        Connection fresh = lender.lend(deadline);
        connection = fresh;
        before = null;
        boolean done = false;
        try {
            if (lender.isShared()) {
                limitsNetwork = true;
                before = LentSettings.take(fresh);
            } else {
                limitWaiting();
                for (String statement : setup) {
                    setUp(statement);
                }
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
        String answer = execute(Pooler.named(statement, open()));
        pooled |= Pooler.isBefore(open(), answer, target);
        if (arrow >= 0 && !line.substring(arrow + ANSWERS.length()).equals(answer)) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    target + " cannot be used: \"" + statement + "\" answered \"" + answer
                            + "\". Is it on a network file system? Put it on a local disk",
                    null);
        }
    }

    /**
     * Limits how long the connection waits for other processes. The limit is rounded down to a power of two, so that
     * calls with about the same time left need not set it again; the session waits for the rest in further rounds.
     */
    private void limitWaiting() throws SQLException {
        if (!dialect.waitLimit().isEmpty()) {
            // At least one millisecond: rounded down to zero, a short call would not wait at all.
            long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.leftNanos()));
            long limit = Math.min(Long.highestOneBit(millis), 1 << 20);
            if (limit != waitLimitMillis) {
                execute(dialect.waitLimit().replace("{millis}", Long.toString(limit)));
                waitLimitMillis = limit;
            }
        }
    }

    /** Waits for a silent server no longer than the call may take. The driver keeps this limit; nothing is sent. */
    private void limitNetwork() throws SQLException {
        if (limitsNetwork && dialect.waitLimit().isEmpty()) {
            try {
                open().setNetworkTimeout(
                                Runnable::run, (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.leftNanos())));
            } catch (SQLFeatureNotSupportedException e) {
                limitsNetwork = false;
            }
        }
    }

    private void giveUpOrRetry(SQLException said) throws StoreFailure {
        SQLException e = redaction.of(said);
        if (!dialect.isBusy(e) || committing) {
            Effect effect = effectAfter(e);
            broken = isAway(e);
            drop();
            throw failure(effect, e);
        }
        boolean locked = dialect.isLocked(e);
        if (locked && !waitsForRows) {
            throw new StoreFailure(Effect.NONE, Reason.UNREACHABLE, locked(), e);
        }
        if (deadline.leftNanos() <= 0) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNREACHABLE,
                    locked ? locked() : target + " is busy: other clients wrote to it for all of the call's time",
                    e);
        }
    }

    private String locked() {
        return target + ": a transaction of others keeps a row of Baton's locked; end it";
    }

    private Effect effectAfter(SQLException e) {
        boolean refused = !dialect.refusalOf(e).advice().isEmpty();
        return committing || (mayHaveCommitted && !refused) ? Effect.UNKNOWN : Effect.NONE;
    }

    /** Builds the failure that callers see. */
    private StoreFailure failure(Effect effect, SQLException e) {
        Dialect.Refusal refusal = dialect.refusalOf(e);
        if (!refusal.advice().isEmpty()) {
            return new StoreFailure(effect, refusal.reason(), refusal.advice().replace("{target}", target), e);
        }
        String message = dialect.store() + " failed on " + target + ": " + e.getMessage();
        return new StoreFailure(effect, isAway(e) ? Reason.UNREACHABLE : Reason.OTHER, message, e);
    }

    /** Returns whether the connection could not be made, or broke: SQLSTATE class 08, or as the dialect says. */
    private boolean isAway(SQLException e) {
        return (e.getSQLState() != null && e.getSQLState().startsWith("08"))
                || dialect.refusalOf(e).reason() == Reason.UNREACHABLE;
    }

    /** Returns whether transactions on this connection begin and end by these statements. */
    private boolean isLimited(Sql limited) {
        return dialect.has(limited) && !lender.isShared();
    }

    private void rollBack() {
        Connection current = connection;
        if (inTransaction && current != null) {
            try {
                if (dialect.has(Sql.ROLLBACK)) {
                    execute(Sql.ROLLBACK);
                } else if (isLimited(Sql.COMMIT_LIMITED)) {
                    // The driver would refuse its own rollback: it was not told of the transaction.
                    execute("ROLLBACK");
                    execute(Sql.COMMIT_LIMITED);
                } else {
                    current.rollback();
                    current.setAutoCommit(true);
                }
            } catch (SQLException e) {
                // Closing the connection rolls back as well.
                drop();
            }
        }
        inTransaction = false;
    }

    private void execute(Sql sql) throws SQLException {
        statement(sql, new Values()).execute();
    }

    private PreparedStatement statement(Sql sql, Values values) throws SQLException {
        limitNetwork();
        return statements.bound(open(), sql, values);
    }

    private Connection open() {
        if (connection == null) {
            throw new IllegalStateException("not connected");
        }
        return connection;
    }

    private void giveBack() {
        if (lender.isShared()) {
            drop();
        }
    }

    private void drop() {
        Connection dropped = connection;
        connection = null;
        inTransaction = false;
        timeline = null;
        statements.forget();
        waitLimitMillis = 0;
        if (dropped != null) {
            try {
                if (before != null) {
                    before.restore(dropped, limitsNetwork);
                }
            } catch (SQLException e) {
                // The connection is broken, and its pool will find out.
            }
            try {
                dropped.close();
            } catch (SQLException e) {
                // The connection is no longer used, and its file is closed with it or with the process.
            }
        }
    }
}
