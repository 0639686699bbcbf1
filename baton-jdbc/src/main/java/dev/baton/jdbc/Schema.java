package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Creates only the missing tables, because not every user may create tables, and refuses tables that cannot be used.
 *
 * <p>No statement touches a table before its owner and kind are known: a view or a trigger of another role would run as
 * this user. The tables are checked once more after they were created, because another client may have been first.
 */
final class Schema {
    private static final int TRIES = 4;

    private final Session session;
    private final Dialect dialect;
    private final String target;

    /**
     * Creates the schema of a session's database.
     *
     * @param target the database, as messages show it
     */
    Schema(Session session, String target) {
        this.session = session;
        this.dialect = session.dialect();
        this.target = target;
    }

    /** Creates the missing tables, and refuses unfit ones. */
    void prepare() throws SQLException, StoreFailure {
        for (int tries = 1; ; tries++) {
            refuseUnfit();
            try {
                session.query(Sql.FIND_TABLES, new Values()).close();
                requireWritable();
                return;
            } catch (SQLException e) {
                if (!dialect.isMissingTable(e) || tries == TRIES) {
                    throw e;
                }
                make(tries);
            }
        }
    }

    private void refuseUnfit() throws SQLException, StoreFailure {
        try (ResultSet rows = session.query(Sql.FIND_UNFIT_TABLES, new Values())) {
            if (rows.next()) {
                throw new StoreFailure(
                        Effect.NONE,
                        Reason.UNFIT,
                        dialect.store() + " at " + target + " cannot be used: " + rows.getString(1),
                        null);
            }
        }
    }

    /**
     * Refuses a standby and a read-only session: they answer every query, but would refuse the first lock. Runs in a
     * transaction, because a driver may make only transactions read-only.
     */
    private void requireWritable() throws SQLException, StoreFailure {
        if (dialect.has(Sql.WRITE_NOTHING)) {
            session.transaction(each -> each.update(Sql.WRITE_NOTHING, new Values()));
        }
    }

    /**
     * Creates all tables or none, if the database can do so. Elsewhere a client may be interrupted in the middle, and
     * the next client creates the rest.
     */
    private void make(int tries) throws SQLException, StoreFailure {
        if (dialect.has(Sql.LOCK_SCHEMA)) {
            session.transaction(each -> {
                each.query(Sql.LOCK_SCHEMA, new Values()).close();
                makeEach();
                return true;
            });
            return;
        }
        try {
            makeEach();
        } catch (SQLException e) {
            // Another client may be creating them at the same time, and one of the two may be refused because of the
            // other.
            if (tries == TRIES - 1 || dialect.refusalOf(e).reason() == Reason.DENIED) {
                throw e;
            }
        }
    }

    private void makeEach() throws SQLException {
        for (String statement : dialect.schema()) {
            session.execute(statement);
        }
    }
}
