package dev.baton.jdbc;

import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names that one transaction works on, all at the same moment. Not thread-safe. */
final class Transaction {
    private final Map<String, ResourceRow> entries = new LinkedHashMap<>();
    private final Stamp stamp;

    Transaction(Stamp stamp) {
        this.stamp = stamp;
    }

    void add(String name, ResourceRow entry) {
        entries.put(name, entry);
    }

    Stamp stamp() {
        return stamp;
    }

    /** Returns one of the names. */
    ResourceRow entry(Resource resource) {
        ResourceRow entry = entries.get(resource.name());
        if (entry == null) {
            throw new IllegalStateException(resource.name() + " was not locked");
        }
        return entry;
    }

    Collection<ResourceRow> entries() {
        return entries.values();
    }

    /** Returns whether enough was read of all queues. */
    boolean sawEnough() {
        return entries.values().stream().allMatch(ResourceRow::sawEnough);
    }

    /** Writes the changes back. */
    void save() throws SQLException {
        for (ResourceRow entry : entries.values()) {
            entry.save();
        }
    }
}
