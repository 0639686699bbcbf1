package dev.baton.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A stock table that refuses stale fencing tokens. Each row remembers the greatest token that it has seen. A write with
 * a smaller token comes from a holder that lost the lock, and changes nothing.
 */
final class Inventory implements AutoCloseable {
    private final Connection connection;

    Inventory(String url) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            // SQLite should wait for other writers and not fail at once.
            statement.execute("PRAGMA busy_timeout = 5000");
            statement.execute("CREATE TABLE IF NOT EXISTS stock"
                    + " (sku TEXT PRIMARY KEY, units INTEGER NOT NULL, fence INTEGER NOT NULL DEFAULT 0)");
        }
    }

    /** Adds units to the stock, once. */
    void stockUp(String sku, int units) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT OR IGNORE INTO stock (sku, units) VALUES (?, ?)")) {
            insert.setString(1, sku);
            insert.setInt(2, units);
            insert.executeUpdate();
        }
    }

    // tag::fence[]
    /**
     * Reads under a lock. The row gets the token first: from then on no older holder can change the value read here.
     */
    int read(String sku, long token) throws SQLException {
        change("UPDATE stock SET fence = ? WHERE sku = ? AND fence <= ?", token, sku, token);
        try (PreparedStatement select = connection.prepareStatement("SELECT units FROM stock WHERE sku = ?")) {
            select.setString(1, sku);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getInt(1) : 0;
            }
        }
    }

    /** Writes under a lock. */
    void write(String sku, int units, long token) throws SQLException {
        change("UPDATE stock SET units = ? WHERE sku = ? AND fence <= ?", units, sku, token);
    }

    private void change(String sql, long value, String sku, long token) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, value);
            update.setString(2, sku);
            update.setLong(3, token);
            if (update.executeUpdate() == 0) {
                throw new StaleTokenException(sku, token);
            }
        }
    }
    // end::fence[]

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
