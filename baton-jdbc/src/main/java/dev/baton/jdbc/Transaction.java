package dev.baton.jdbc;

import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The names that one transaction works on, all at the same moment. Not thread-safe. */
final class Transaction {
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Stamp stamp;

    private Transaction(Stamp stamp) {
        this.stamp = stamp;
    }

    /**
     * Begins to work on resources: what is read of them stays true until the transaction ends.
     *
     * <p>The clock is read once they are locked. For a database whose clock stands still during a transaction that is an
     * earlier moment, but never one before the command was sent, and no other is needed: every deadline comes out early.
     */
    static Transaction on(Collection<Resource> resources, Tables tables, Session session, Timings timings, String runId)
            throws SQLException {
        List<String> names = resources.stream().map(Resource::name).distinct().toList();
        tables.lock(session, names);
        Map<String, Snapshot> loaded = tables.load(session, names);
        long now = loaded.isEmpty()
                ? tables.now(session)
                : loaded.values().iterator().next().nowMicros();
        Transaction transaction = new Transaction(new Stamp(runId, now, 0));
        for (Resource resource : resources) {
            Snapshot snapshot = loaded.getOrDefault(resource.name(), Snapshot.NOTHING);
            transaction.entries.computeIfAbsent(
                    resource.name(),
                    name -> new Entry(tables, session, resource, timings, snapshot, transaction.stamp));
        }
        return transaction;
    }

    Stamp stamp() {
        return stamp;
    }

    /** One of the names. */
    Entry entry(Resource resource) {
        Entry entry = entries.get(resource.name());
        if (entry == null) {
            throw new IllegalStateException(resource.name() + " was not locked");
        }
        return entry;
    }

    Collection<Entry> entries() {
        return entries.values();
    }

    /** Writes back what changed. */
    void save() throws SQLException {
        for (Entry entry : entries.values()) {
            entry.save();
        }
    }
}
