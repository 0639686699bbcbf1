package dev.baton.jdbc;

import dev.baton.spi.Agreement;
import dev.baton.spi.Protocol;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all clients of a namespace agree on, and the identity of the data, as first recorded.
 *
 * @param hasEpoch whether the server is recorded that has the data, if that is needed
 */
record Descriptor(Agreement agreement, String runId, boolean hasEpoch) {

    /** Clients of version 2 know no grace period, and would grant what those of this version protect. */
    private static final int WITH_EPOCH = 3;

    private static Agreement own(Session session, Timings timings) {
        int protocol = session.dialect().has(Sql.ADD_EPOCH) ? WITH_EPOCH : Protocol.VERSION;
        return Agreement.of(timings, protocol, protocol);
    }

    /** Reads the namespace's descriptor, or writes it if missing; refuses one that this client cannot work with. */
    static Descriptor agree(Session session, String namespace, Timings timings, String store, String target)
            throws SQLException, StoreFailure {
        Agreement own = own(session, timings);
        Descriptor found = find(session, namespace);
        if (found == null || !found.hasEpoch) {
            addEpoch(session, namespace, timings);
        }
        if (found == null) {
            add(session, namespace, own, store);
            found = find(session, namespace);
        }
        if (found == null) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    "the descriptor of namespace " + namespace + " vanished from " + target,
                    null);
        }
        found.agreement.require(own, "namespace \"" + namespace + "\" of " + target);
        return found;
    }

    private static @Nullable Descriptor find(Session session, String namespace) throws SQLException {
        try (ResultSet rows = session.query(Sql.FIND_DESCRIPTOR, new Values().with(Param.NAMESPACE, namespace))) {
            if (!rows.next()) {
                return null;
            }
            String runId = rows.getString(6);
            Agreement agreement = new Agreement(
                    rows.getInt(1),
                    rows.getInt(2),
                    rows.getLong(3),
                    rows.getLong(4),
                    rows.getLong(5),
                    namespaceId(runId));
            return new Descriptor(agreement, runId, rows.getInt(7) > 0);
        }
    }

    /** The data have had an identity from the start: the name of the database's kind, and random digits. */
    private static String namespaceId(String runId) {
        return runId.substring(runId.indexOf('-') + 1).replace("-", "");
    }

    /** Comes before the descriptor: a namespace that has only the descriptor was used without this record. */
    private static void addEpoch(Session session, String namespace, Timings timings) throws SQLException {
        if (session.dialect().has(Sql.ADD_EPOCH)) {
            session.update(
                    Sql.ADD_EPOCH,
                    new Values().with(Param.NAMESPACE, namespace).with(Param.GRACE, timings.graceMicros()));
        }
    }

    private static void add(Session session, String namespace, Agreement own, String store) throws SQLException {
        session.update(
                Sql.ADD_DESCRIPTOR,
                new Values()
                        .with(Param.NAMESPACE, namespace)
                        .with(Param.PROTOCOL, own.newestProtocol())
                        .with(Param.BUCKETS, own.buckets())
                        .with(Param.GRACE, own.graceMicros())
                        .with(Param.CLAIM_WINDOW, own.claimMicros())
                        .with(Param.PRESENCE, own.presenceMicros())
                        .with(Param.RUN_ID, store.toLowerCase(Locale.ROOT) + "-" + own.namespaceId()));
    }
}
