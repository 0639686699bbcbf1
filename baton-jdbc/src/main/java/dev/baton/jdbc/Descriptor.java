package dev.baton.jdbc;

import dev.baton.spi.Protocol;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What all clients of a namespace have to agree on, as its first client recorded it. */
record Descriptor(int protocol, int buckets, long graceMicros, long claimMicros, long presenceMicros, String runId) {

    /** Reads the namespace's descriptor, or writes it; refuses one that this client cannot work with. */
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
        found.check("namespace \"" + namespace + "\" of " + target, timings);
        return found;
    }

    private static @Nullable Descriptor find(Session session, String namespace) throws SQLException {
        try (ResultSet rows = session.query(Sql.FIND_DESCRIPTOR, new Values().with(Param.NAMESPACE, namespace))) {
            return rows.next()
                    ? new Descriptor(
                            rows.getInt(1),
                            rows.getInt(2),
                            rows.getLong(3),
                            rows.getLong(4),
                            rows.getLong(5),
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

    private void check(String where, Timings timings) throws StoreFailure {
        if (protocol != Protocol.VERSION || buckets != Protocol.BUCKETS) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    where + " was made by protocol version " + protocol + " with " + buckets
                            + " buckets, and this client speaks version " + Protocol.VERSION + " with "
                            + Protocol.BUCKETS + ": use the same version of Baton everywhere, or another namespace",
                    null);
        }
        requireSame(where, "grace", graceMicros, timings.graceMicros());
        requireSame(where, "claimWindow", claimMicros, timings.claimMicros());
        requireSame(where, "presence", presenceMicros, timings.presenceMicros());
    }

    private static void requireSame(String where, String what, long recorded, long own) throws StoreFailure {
        if (recorded != own) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    where + " was made with " + what + "=" + duration(recorded) + ", but this client has " + what + "="
                            + duration(own) + ": use the same timings in all clients, or another namespace",
                    null);
        }
    }

    private static Duration duration(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }
}
