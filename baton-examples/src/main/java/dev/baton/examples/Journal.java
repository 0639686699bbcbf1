package dev.baton.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;

/** Remembers for which nights a job has run. */
final class Journal implements AutoCloseable {
    private final Connection connection;

    Journal(String url) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            // For SQLite: wait for other writers instead of failing at once.
            statement.execute("PRAGMA busy_timeout = 5000");
            statement.execute("CREATE TABLE IF NOT EXISTS journal (night TEXT PRIMARY KEY, token INTEGER NOT NULL)");
        }
    }

    /** Whether the job has run. */
    boolean isDone(LocalDate night) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT 1 FROM journal WHERE night = ?")) {
            select.setString(1, night.toString());
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Enters a run. The date is the primary key: a second entry for the same night is an error, whoever makes it. */
    void enter(LocalDate night, long token) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO journal VALUES (?, ?)")) {
            insert.setString(1, night.toString());
            insert.setLong(2, token);
            insert.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
