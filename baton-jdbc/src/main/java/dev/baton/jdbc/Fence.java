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
 * Makes a lock exact for data in an SQL database: holders commit in the order of their fencing tokens, whether or not
 * they still believe that they hold the lock. Raise the fence first in the transaction that works on the data, before
 * reading anything:
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
 * the row locked until the transaction ends. A later holder with a smaller token is therefore refused; a holder with a
 * greater token that arrives while the transaction still runs waits for its end, and reads its writes. The locks
 * themselves may be on any store, and no row of theirs is touched.
 *
 * <p>Works at every isolation level. Above {@code READ COMMITTED} the database may report a serialization failure
 * instead of letting a transaction wait; run the transaction again, with the same lease. The fence must be raised
 * before reading because a write of an older holder that is still on its way must find it raised.
 *
 * <p>Baton never deletes a name's row; keep it for as long as an older holder may write the data. All methods are
 * thread-safe, as far as the connections are.
 */
public final class Fence {
    /** The default prefix of every table name. */
    private static final String TABLES = ServerAddress.DEFAULT_TABLES;

    private Fence() {}

    /**
     * Raises the fence of a lock, in the table {@code baton_fence}.
     *
     * @param connection in a transaction: not in autocommit mode
     * @param lease whose name and token count
     * @throws StaleTokenException if a greater token was raised; roll back
     * @throws SQLException the database's error; if the table is missing, see {@link #createTable}
     * @throws IllegalStateException if the connection is in autocommit mode
     * @throws IllegalArgumentException if the lease is shared: {@link Lease#ensureExclusive}
     */
    public static void raise(Connection connection, Lease lease) throws SQLException {
        lease.ensureExclusive();
        raise(connection, TABLES, lease.name(), lease.token());
    }

    /**
     * Raises a fence for a token from elsewhere, such as a message.
     *
     * @param connection in a transaction: not in autocommit mode
     * @param tables prefix of the table's name, with its schema if need be: {@code app.baton_} for
     *     {@code app.baton_fence}
     * @param name of the fence; all writers of the same data use the same name
     * @param token a fencing token
     * @throws StaleTokenException if a greater token was raised; roll back
     * @throws SQLException the database's error
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
     * Creates the table {@code baton_fence} if it is missing. Only a database without Baton's locks needs this call: a
     * database with locks gets the table along with the others.
     *
     * @param connection to the database; commits if creating a table commits there
     * @throws SQLException the database's error
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

    /** Retries once: if two both find a new name missing, the second one gets an error, and then finds the row. */
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
