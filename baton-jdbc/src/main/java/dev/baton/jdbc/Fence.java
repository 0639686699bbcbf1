package dev.baton.jdbc;

import dev.baton.Lease;
import dev.baton.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes a lock exact for data in an SQL database: holders commit in the order of their fencing tokens, whatever they
 * believe. To be raised first in the transaction that works on the data, before anything is read:
 *
 * <pre>{@code
 * try (Lease lease = lock.acquire(); Connection connection = dataSource.getConnection()) {
 *     connection.setAutoCommit(false);
 *     Fence.raise(connection, lease);
 *     …                                   // read, decide, write
 *     connection.commit();
 * }
 * }</pre>
 *
 * <p>The table {@code baton_fence} has a row for each name with the greatest token seen. Raising moves it up, and keeps
 * the row locked until the transaction ends. So whoever comes with a smaller token later is refused; whoever comes with
 * a greater one while the transaction still runs waits for its end, and reads what it wrote. The locks themselves may be
 * on any store, and no row of theirs is touched.
 *
 * <p>Works at every isolation level. Above {@code READ COMMITTED} the database may report a serialization failure
 * instead of letting a transaction wait; run it again, with the same lease. The source of the rule that a fence is raised
 * before reading: a write of an older holder that is still on its way must find it up.
 *
 * <p>A name's row stays for as long as its data may be written by an older holder. All methods are thread-safe, as far
 * as connections are.
 */
public final class Fence {
    /** What the name of every table begins with, unless something else was configured. */
    private static final String TABLES = ServerAddress.DEFAULT_TABLES;

    private Fence() {}

    /**
     * Raises the fence of a lock, in the table {@code baton_fence}.
     *
     * @param connection in a transaction: not in autocommit mode
     * @param lease whose name and token count
     * @throws StaleTokenException if a greater token was raised; roll back
     * @throws SQLException what the database said: the table may be missing, see {@link #createTable}
     * @throws IllegalStateException if the connection is in autocommit mode
     */
    public static void raise(Connection connection, Lease lease) throws SQLException {
        raise(connection, TABLES, lease.name(), lease.token());
    }

    /**
     * Raises a fence for a token that came from elsewhere, as with a message.
     *
     * @param connection in a transaction: not in autocommit mode
     * @param tables prefix of the table's name, with its schema if need be: {@code app.baton_} for
     *     {@code app.baton_fence}
     * @param name of the fence; all who write the same data use the same
     * @param token a fencing token
     * @throws StaleTokenException if a greater token was raised; roll back
     * @throws SQLException what the database said
     * @throws IllegalStateException if the connection is in autocommit mode
     */
    public static void raise(Connection connection, String tables, String name, long token) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "a fence guards one transaction, but this connection is in autocommit mode: call"
                            + " setAutoCommit(false) first");
        }
        Dialect dialect = dialect(connection, tables);
        Values values = new Values().with(Param.NAME, name).with(Param.TOKEN, token);
        int raised = raise(connection, dialect.query(Sql.RAISE_FENCE), values);
        boolean stale = dialect.has(Sql.CHECK_FENCE)
                ? number(connection, dialect.query(Sql.CHECK_FENCE), values) > token
                : raised == 0;
        if (stale) {
            throw new StaleTokenException(
                    "the fence of \"" + name + "\" was raised above token " + token
                            + ": another holder has come since; roll back",
                    token);
        }
    }

    /**
     * Makes the table {@code baton_fence} if it is missing. Needs to be called only for a database that has no locks:
     * those that have get the table along with the others.
     *
     * @param connection to the database; where making a table commits, it does
     * @throws SQLException what the database said
     */
    public static void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : dialect(connection, TABLES).schema()) {
                if (each.contains(TABLES + "fence")) {
                    statement.executeUpdate(each);
                }
            }
        }
    }

    private static Dialect dialect(Connection connection, String tables) throws SQLException {
        String product = Objects.requireNonNull(connection.getMetaData().getDatabaseProductName(), "product");
        return Stream.of(Databases.values())
                .filter(database -> database.isCalled(product))
                .findFirst()
                .orElseThrow(() -> new SQLException("no fence for " + product + "; there is one for "
                        + Stream.of(Databases.values())
                                .map(database -> database.capabilities().store())
                                .collect(Collectors.joining(", "))))
                .dialect(tables);
    }

    /** Where two may both find a new name missing, the second is told so, and finds it then. */
    private static int raise(Connection connection, Query query, Values values) throws SQLException {
        try {
            return update(connection, query, values);
        } catch (SQLIntegrityConstraintViolationException another) {
            return update(connection, query, values);
        }
    }

    private static int update(Connection connection, Query query, Values values) throws SQLException {
        Query.Sized sized = query.sized(1);
        try (PreparedStatement statement = connection.prepareStatement(sized.text())) {
            values.bind(statement, sized);
            return statement.executeUpdate();
        }
    }

    private static long number(Connection connection, Query query, Values values) throws SQLException {
        Query.Sized sized = query.sized(1);
        try (PreparedStatement statement = connection.prepareStatement(sized.text())) {
            values.bind(statement, sized);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
