package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A pooler between a connection and PostgreSQL, such as PgBouncer. The driver was told the number of a process when it
 * connected; if another one answers, the sessions behind it may be of others as well, each for one transaction. Nothing
 * is left in them then: no settings, no {@code LISTEN}, no prepared statements.
 */
final class Pooler {
    /** In a statement: the process that the driver was told. */
    private static final String PROCESS = "{process}";

    /** How the answer to such a statement begins if another process gave it; its lock time-out follows. */
    private static final String OTHER_PROCESS = "pooled ";

    private static final String WAITS_FOR_EVER = OTHER_PROCESS + "0";

    private Pooler() {}

    /** A statement with the process in it that the driver was told; where it was told none, the one that answers. */
    static String named(String statement, Connection connection) {
        if (!statement.contains(PROCESS)) {
            return statement;
        }
        String process;
        try {
            process = Integer.toString(PostgresqlDriver.of(connection).process());
        } catch (SQLException anotherDriver) {
            process = "pg_backend_pid()";
        }
        return statement.replace(PROCESS, process);
    }

    /**
     * Whether a pooler is in between, by the answer to such a statement; the driver then prepares nothing.
     *
     * @throws StoreFailure if its sessions would wait for a locked row for ever
     */
    static boolean isBefore(Connection connection, @Nullable String answer, String target)
            throws SQLException, StoreFailure {
        if (answer == null || !answer.startsWith(OTHER_PROCESS)) {
            return false;
        }
        if (answer.equals(WAITS_FOR_EVER)) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    target
                            + " cannot be used: a pooler of connections (PgBouncer?) answers there, so Baton must not set"
                            + " lock_timeout in sessions that others share, and without it a process that waits for a"
                            + " locked row keeps one of them. ALTER ROLE CURRENT_USER SET lock_timeout = '500ms', and"
                            + " have the pooler connect anew (RECONNECT); or name the server itself",
                    null);
        }
        PostgresqlDriver.of(connection).prepareNothing();
        return true;
    }
}
