package dev.baton.jdbc;

import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names that one transaction works on, all at the same moment. Not thread-safe. */
final class Transaction {
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Stamp stamp;

    Transaction(Stamp stamp) {
        this.stamp = stamp;
    }

    void add(String name, Entry entry) {
        entries.put(name, entry);
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

    /** Whether enough was read of all queues. */
    boolean sawEnough() {
        return entries.values().stream().allMatch(Entry::sawEnough);
    }

    /** Writes back what changed. */
    void save() throws SQLException {
        for (Entry entry : entries.values()) {
            entry.save();
        }
    }
}
