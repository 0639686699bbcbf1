package dev.baton.demo;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** One connection to an SQLite file that several processes use. Not thread-safe. */
final class Database implements AutoCloseable {
    /** WAL lets readers pass writers. Nothing here has to survive a power cut. A writer waits for its turn. */
    private static final String SETTINGS =
            "?busy_timeout=10000&journal_mode=WAL&synchronous=OFF" + "&transaction_mode=IMMEDIATE";

    private final Connection connection;

    Database(Path file) {
        this.connection = ask(() -> DriverManager.getConnection("jdbc:sqlite:" + file + SETTINGS));
    }

    /** Runs one statement, and returns how many rows it changed. */
    int update(String sql, Object... parameters) {
        return ask(() -> {
            try (PreparedStatement statement = prepare(sql, parameters)) {
                return statement.executeUpdate();
            }
        });
    }

    /** Runs a query, and converts its result. */
    <T> T query(Reader<T> reader, String sql, Object... parameters) {
        return ask(() -> {
            try (PreparedStatement statement = prepare(sql, parameters);
                    ResultSet rows = statement.executeQuery()) {
                return reader.read(rows);
            }
        });
    }

    /** Runs a query that returns one number. */
    long number(String sql, Object... parameters) {
        return query(rows -> rows.next() ? rows.getLong(1) : 0L, sql, parameters);
    }

    /** Runs statements in one transaction, and rolls it back if they return false. */
    boolean transaction(Work work) {
        return ask(() -> {
            connection.setAutoCommit(false);
            boolean done = false;
            try {
                done = work.run();
                return done;
            } finally {
                if (done) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
        });
    }

    void script(String... statements) {
        ask(() -> {
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.executeUpdate(sql);
                }
            }
            return true;
        });
    }

    @Override
    public void close() {
        ask(() -> {
            connection.close();
            return true;
        });
    }

    private PreparedStatement prepare(String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    private static <T> T ask(Question<T> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw new IllegalStateException("the demo's database failed: " + e.getMessage(), e);
        }
    }

    /** Converts rows. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** The statements of a transaction. */
    @FunctionalInterface
    interface Work {
        boolean run() throws SQLException;
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws SQLException;
    }
}
