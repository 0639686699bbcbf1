package dev.baton.jdbc;

import dev.baton.spi.Heartbeat;
import dev.baton.spi.Ledger;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A name's ledger inside a transaction.
 *
 * <p>Numbers are sent once, so there are no marks: an attempt is over if its cancel was recorded, and the cancel itself
 * records that. In a grace period releases are recorded, too: a heartbeat that was sent before the release, and arrives
 * after it, must not restore the hold. The name's row keeps the last token, and its bucket keeps it after the row is gone.
 */
final class StoreLedger implements Ledger {
    private record Grant(ResourceView.Hold hold, long secret) {}

    private final Tables tables;
    private final Session session;
    private final String name;
    private final Stamp stamp;
    private final List<Grant> grants = new ArrayList<>(0);
    private long lastToken;
    private boolean knowsHighWater;

    StoreLedger(Tables tables, Session session, String name, Stamp stamp, long lastToken) {
        this.tables = tables;
        this.session = session;
        this.name = name;
        this.stamp = stamp;
        this.lastToken = lastToken;
    }

    /** Returns the last known token of the name. */
    long lastToken() {
        return lastToken;
    }

    @Override
    public Stamp stamp() {
        return stamp;
    }

    @Override
    public long nextToken() {
        if (!knowsHighWater) {
            knowsHighWater = true;
            lastToken = Math.max(lastToken, highWater());
        }
        lastToken = Protocol.nextToken(lastToken, stamp.nowMicros());
        return lastToken;
    }

    @Override
    public void raiseHighWater(long token) {
        lastToken = Math.max(lastToken, token);
    }

    @Override
    public boolean isFinished(String client, long attempt) {
        try {
            return tables.isCancelled(session, client, attempt);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    /** Returns false: what matters is the attempt, see {@link ResourceRow#heartbeat(String, Heartbeat.Hold, long)}. */
    @Override
    public boolean isOutdated(String client, long number) {
        return false;
    }

    @Override
    public void recordGrant(String client, long attempt) {
        // A number is sent once: no client will ask for this attempt again.
    }

    @Override
    public void recordEnd(String client, long attempt, long number) {
        // Outside a grace period a release needs no record, and a cancel always writes its own.
        if (stamp.graceMicros() > 0) {
            try {
                tables.recordCancelled(session, client, attempt);
            } catch (SQLException e) {
                throw new UncheckedSqlException(e);
            }
        }
    }

    /** A ticket without a secret belongs to a client that receives no pushes, so its grant is not pushed. */
    @Override
    public void handedOff(Resource resource, ResourceView.Hold hold, long secret) {
        if (secret != 0 && session.dialect().has(Sql.PUSH_GRANT)) {
            grants.add(new Grant(hold, secret));
        }
    }

    /** Pushes the grants after the transaction has committed. */
    void tell() {
        grants.forEach(grant -> tables.push(session, name, grant.hold(), stamp, grant.secret()));
    }

    private long highWater() {
        try {
            return tables.highWater(session, name);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }
}
