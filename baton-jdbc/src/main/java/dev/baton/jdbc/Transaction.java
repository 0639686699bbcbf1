package dev.baton.jdbc;

import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names that one transaction works on, all at the same moment. Not thread-safe. */
final class Transaction {
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Tables tables;
    private final Session session;
    private final Timings timings;
    private final Stamp stamp;

    Transaction(Tables tables, Session session, Timings timings, Stamp stamp) {
        this.tables = tables;
        this.session = session;
        this.timings = timings;
        this.stamp = stamp;
    }

    Stamp stamp() {
        return stamp;
    }

    /** The name's entry, loaded when it is first asked for. */
    Entry entry(Resource resource) throws SQLException {
        Entry entry = entries.get(resource.name());
        if (entry == null) {
            entry = Entry.load(tables, session, resource, timings, stamp);
            entries.put(resource.name(), entry);
        }
        return entry;
    }

    boolean isLoaded(Resource resource) {
        return entries.containsKey(resource.name());
    }

    /** Writes back what changed. */
    void save() throws SQLException {
        for (Entry entry : entries.values()) {
            entry.save();
        }
    }
}
