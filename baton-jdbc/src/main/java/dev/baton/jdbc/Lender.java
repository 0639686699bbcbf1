package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.sql.Connection;
import java.sql.SQLException;

/** The source of a session's connections. */
interface Lender {
    /**
     * Returns a connection in autocommit mode. Takes no longer than the deadline allows, even if the driver or pool
     * would.
     *
     * @param deadline of the call that wants it
     */
    Connection lend(Deadline deadline) throws SQLException, StoreFailure;

    /** Returns whether a connection goes back after each call, because others want it too. */
    boolean isShared();

    /** Releases the source; no more connections will be requested. */
    void close();
}
