package dev.baton.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/** Measures how many rows, of tables and of indexes, a server reads: by its own count. */
final class RowsRead {
    private static final int SESSIONS = 4;

    private RowsRead() {}

    /** An action to repeat. */
    interface Action {
        void run() throws Exception;
    }

    /** Returns the rows for each run of an action that one thread does through one client. */
    static double each(Connection eye, JdbcClient client, int times, Action action) throws Exception {
        for (int i = 0; i < SESSIONS; i++) {
            client.store().inspect("warm up", JdbcClient.TIMEOUT_NANOS);
        }
        long before = now(eye, client);
        for (int i = 0; i < times; i++) {
            action.run();
        }
        return (double) (now(eye, client) - before) / times;
    }

    /** A session of PostgreSQL reports its reads when it ends a transaction, but at most once a second. */
    private static long now(Connection eye, JdbcClient client) throws Exception {
        boolean postgresql = isPostgresql(eye);
        if (postgresql) {
            TimeUnit.MILLISECONDS.sleep(1_100);
            client.store().inspect("tell", JdbcClient.TIMEOUT_NANOS);
            TimeUnit.MILLISECONDS.sleep(100);
        }
        try (Statement statement = eye.createStatement();
                ResultSet rows = statement.executeQuery(
                        postgresql
                                ? "SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)"
                                        + " + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)"
                                : "SELECT sum(variable_value) FROM information_schema.global_status"
                                        + " WHERE variable_name LIKE 'HANDLER_READ%'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static boolean isPostgresql(Connection connection) throws SQLException {
        return connection.getMetaData().getURL().contains("postgresql");
    }
}
