package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Makes the tables that are missing, because not every user may, and refuses tables that cannot be used.
 *
 * <p>No statement touches a table before its owner and kind are known: a view, or a trigger, of another role would run as
 * this user. The tables are looked at once more when they have been made, because another may have been first.
 */
final class Schema {
    private static final int TRIES = 4;

    private final Session session;
    private final Dialect dialect;
    private final String target;

    /**
     * The tables of a session's database.
     *
     * @param target what it is, for people
     */
    Schema(Session session, String target) {
        this.session = session;
        this.dialect = session.dialect();
        this.target = target;
    }

    /** Makes what is missing, and refuses what is unfit. */
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
     * A standby and a read-only session answer every question, and refuse the first lock. In a transaction, because a
     * driver may make only those read-only.
     */
    private void requireWritable() throws SQLException, StoreFailure {
        if (dialect.has(Sql.WRITE_NOTHING)) {
            session.transaction(each -> each.update(Sql.WRITE_NOTHING, new Values()));
        }
    }

    /**
     * Makes the tables: all of them or none, where the database can do so. Elsewhere a client may be interrupted in the
     * middle, and the next one makes the rest.
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
            // Another client may be making them at the same time, and be refused or refuse this one for it.
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
