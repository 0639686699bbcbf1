package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.sql.Connection;
import java.sql.SQLException;

/** Where a session has its connections from. */
interface Lender {
    /**
     * A connection in autocommit mode. May take as long as the deadline allows, whatever the driver or pool would take.
     *
     * @param deadline of the call that wants it
     */
    Connection lend(Deadline deadline) throws SQLException, StoreFailure;

    /** Whether a connection goes back after each call, because others want it too. */
    boolean isShared();

    /** Nobody will ask again. */
    void close();
}
