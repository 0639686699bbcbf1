package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

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

    /**
     * Returns why a call gets no connection, or got none the last time, as text for users; null if the last one got one.
     * Any thread may ask.
     */
    default @Nullable String trouble() {
        return null;
    }

    /** Releases the source; no more connections will be requested. */
    void close();
}
