package dev.baton.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;

/** Records the nights for which a job has run. */
final class Journal implements AutoCloseable {
    private final Connection connection;

    Journal(String url) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            // SQLite should wait for other writers and not fail at once.
            statement.execute("PRAGMA busy_timeout = 5000");
            statement.execute("CREATE TABLE IF NOT EXISTS journal (night TEXT PRIMARY KEY, token INTEGER NOT NULL)");
        }
    }

    /** Returns whether the job has run for this night. */
    boolean isDone(LocalDate night) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT 1 FROM journal WHERE night = ?")) {
            select.setString(1, night.toString());
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Records a run. The date is the primary key: a second record for the same night fails, on every node. */
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
