package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Detects a pooler between a connection and PostgreSQL, such as PgBouncer. The server told the driver the number of a
 * process when it connected. If another process answers, other clients may use the sessions behind the connection as
 * well, each for one transaction. Baton then leaves nothing in them: no settings, no {@code LISTEN}, no prepared
 * statements.
 */
final class Pooler {
    /** The placeholder in a statement for the process number that the driver received. */
    private static final String PROCESS = "{process}";

    /** The beginning of the answer to such a statement if another process gave it; its lock time-out follows. */
    private static final String OTHER_PROCESS = "pooled ";

    private static final String WAITS_FOR_EVER = OTHER_PROCESS + "0";

    private Pooler() {}

    /** Fills in the process number that the driver received, or if it received none, that of the server. */
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
     * Returns whether the answer to such a statement shows a pooler in between; the driver then prepares nothing.
     *
     * @throws StoreFailure if its sessions would wait forever for a locked row
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
