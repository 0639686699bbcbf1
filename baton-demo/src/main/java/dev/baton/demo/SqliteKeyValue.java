package dev.baton.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A key-value server in an SQLite table. Thread-safe: one operation at a time. */
final class SqliteKeyValue implements KeyValue {
    /** The file's clock, which is the same for all processes. */
    private static final String NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

    private static final String ALIVE = "(expires IS NULL OR expires > " + NOW + ")";

    private final Database database;

    SqliteKeyValue(Path file) {
        this.database = new Database(file);
        database.script(
                "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires INTEGER)");
    }

    @Override
    public synchronized Optional<String> get(String key) {
        return database.query(
                rows -> rows.next() ? Optional.of(rows.getString(1)) : Optional.empty(),
                "SELECT value FROM entry WHERE key = ? AND " + ALIVE,
                key);
    }

    @Override
    public synchronized void set(String key, String value) {
        database.update(
                "INSERT INTO entry VALUES (?, ?, NULL)"
                        + " ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = NULL",
                key,
                value);
    }

    @Override
    public synchronized boolean setIfAbsent(String key, String value, Optional<Duration> expiry) {
        // Reading first is cheaper: readers do not wait for each other, but each writer has to wait for its turn, even
        // if the lock is held anyway.
        if (get(key).isPresent()) {
            return false;
        }
        String expires = expiry.isPresent() ? NOW + " + " + expiry.get().toMillis() : "NULL";
        return database.update(
                        "INSERT INTO entry VALUES (?, ?, " + expires + ") ON CONFLICT (key)"
                                + " DO UPDATE SET value = excluded.value, expires = excluded.expires"
                                + " WHERE entry.expires <= " + NOW,
                        key,
                        value)
                > 0;
    }

    @Override
    public synchronized void delete(String key) {
        database.update("DELETE FROM entry WHERE key = ?", key);
    }

    @Override
    public synchronized boolean compareAndDelete(String key, String value) {
        return database.update("DELETE FROM entry WHERE key = ? AND value = ? AND " + ALIVE, key, value) > 0;
    }

    @Override
    public synchronized void close() {
        database.close();
    }
}
