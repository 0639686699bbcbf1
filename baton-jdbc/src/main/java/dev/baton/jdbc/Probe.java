package dev.baton.jdbc;

import dev.baton.spi.Ledger;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import java.sql.SQLException;

/**
 * The ledger for running a command on rows that were only read, to see whether it changes anything. If it does not, its
 * answer holds for the moment of reading, and no write transaction is needed.
 */
final class Probe implements Ledger {
    private final Tables tables;
    private final Session session;
    private final Stamp stamp;
    private boolean wouldGrant;

    Probe(Tables tables, Session session, Stamp stamp) {
        this.tables = tables;
        this.session = session;
        this.stamp = stamp;
    }

    /** Returns whether the command would have granted something, which only a transaction may do. */
    boolean wouldGrant() {
        return wouldGrant;
    }

    @Override
    public Stamp stamp() {
        return stamp;
    }

    @Override
    public long nextToken() {
        wouldGrant = true;
        return 0;
    }

    @Override
    public void raiseHighWater(long token) {
        wouldGrant = true;
    }

    @Override
    public boolean isFinished(String client, long attempt) {
        try {
            return tables.isCancelled(session, client, attempt);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    @Override
    public boolean isOutdated(String client, long number) {
        return false;
    }

    @Override
    public void recordGrant(String client, long attempt) {
        wouldGrant = true;
    }

    @Override
    public void recordEnd(String client, long attempt, long number) {
        // If nothing changes, nothing needs to be undone.
    }

    @Override
    public void handedOff(Resource resource, ResourceView.Hold hold, long secret) {
        wouldGrant = true;
    }
}
