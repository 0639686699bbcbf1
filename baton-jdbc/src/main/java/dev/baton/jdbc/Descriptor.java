package dev.baton.jdbc;

import dev.baton.spi.Agreement;
import dev.baton.spi.Protocol;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The settings that all clients of a namespace agree on, and the identity of the data, as first recorded. */
record Descriptor(Agreement agreement, String runId) {

    /** Reads the namespace's descriptor, or writes it if missing; refuses one that this client cannot work with. */
    static Descriptor agree(Session session, String namespace, Timings timings, String store, String target)
            throws SQLException, StoreFailure {
        Descriptor found = find(session, namespace);
        if (found == null) {
            add(session, namespace, timings, store);
            found = find(session, namespace);
        }
        if (found == null) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    "the descriptor of namespace " + namespace + " vanished from " + target,
                    null);
        }
        found.agreement.require(Agreement.of(timings), "namespace \"" + namespace + "\" of " + target);
        return found;
    }

    private static @Nullable Descriptor find(Session session, String namespace) throws SQLException {
        try (ResultSet rows = session.query(Sql.FIND_DESCRIPTOR, new Values().with(Param.NAMESPACE, namespace))) {
            return rows.next()
                    ? new Descriptor(
                            new Agreement(
                                    rows.getInt(1), rows.getInt(2), rows.getLong(3), rows.getLong(4), rows.getLong(5)),
                            rows.getString(6))
                    : null;
        }
    }

    private static void add(Session session, String namespace, Timings timings, String store) throws SQLException {
        session.update(
                Sql.ADD_DESCRIPTOR,
                new Values()
                        .with(Param.NAMESPACE, namespace)
                        .with(Param.PROTOCOL, Protocol.VERSION)
                        .with(Param.BUCKETS, Protocol.BUCKETS)
                        .with(Param.GRACE, timings.graceMicros())
                        .with(Param.CLAIM_WINDOW, timings.claimMicros())
                        .with(Param.PRESENCE, timings.presenceMicros())
                        .with(Param.RUN_ID, store.toLowerCase(Locale.ROOT) + "-" + UUID.randomUUID()));
    }
}
