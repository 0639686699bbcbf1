package dev.baton.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The settings with which a connection was lent, because others want it too.
 *
 * @param networkLimit its network time-out
 * @param autoCommit its mode
 */
record LentSettings(int networkLimit, boolean autoCommit) {
    /** Reads the settings of a connection, and switches autocommit on. */
    static LentSettings take(Connection lent) throws SQLException {
        LentSettings settings = new LentSettings(lent.getNetworkTimeout(), lent.getAutoCommit());
        if (!settings.autoCommit) {
            lent.setAutoCommit(true);
        }
        return settings;
    }

    /** Restores them. */
    void restore(Connection lent, boolean limitedNetwork) throws SQLException {
        if (!lent.getAutoCommit()) {
            lent.rollback();
            lent.setAutoCommit(true);
        }
        if (!autoCommit) {
            lent.setAutoCommit(false);
        }
        if (limitedNetwork) {
            lent.setNetworkTimeout(Runnable::run, networkLimit);
        }
    }
}
