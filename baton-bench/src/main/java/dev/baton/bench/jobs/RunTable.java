package dev.baton.bench.jobs;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table into which actions write: each run is a row, with the times of the database's clock.
 *
 * @param uri the database
 */
record RunTable(String uri) {
    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS ran (
                id BIGSERIAL PRIMARY KEY,
                job TEXT NOT NULL,
                fire_time TIMESTAMPTZ NOT NULL,
                node TEXT NOT NULL,
                attempt INT NOT NULL,
                started TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
                ended TIMESTAMPTZ)""";

    /**
     * A run.
     *
     * @param fireTime the time for which it was due, as the product told it
     * @param node who ran it
     * @param attempt as the product told it
     * @param ended empty if it did not end
     */
    record Ran(Instant fireTime, String node, int attempt, Instant started, Optional<Instant> ended) {
        /** Returns how long after its fire time it began; negative if before. */
        Duration late() {
            return Duration.between(fireTime, started);
        }
    }

    void create() throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri)) {
            connection.createStatement().execute(CREATE);
        }
    }

    /** Runs a job's action as a node. */
    void run(JobSpec job, Instant fireTime, int attempt, String node) throws Exception {
        try (Connection connection = DriverManager.getConnection(uri)) {
            long id = begin(connection, job, fireTime, attempt, node);
            if (isFirst(connection, job, id)) {
                if (job.failsFirst()) {
                    throw new IllegalStateException("the first run fails");
                }
                work(connection, job.works());
            }
            try (PreparedStatement end =
                    connection.prepareStatement("UPDATE ran SET ended = clock_timestamp() WHERE id = ?")) {
                end.setLong(1, id);
                end.executeUpdate();
            }
        }
    }

    private static long begin(Connection connection, JobSpec job, Instant fireTime, int attempt, String node)
            throws SQLException {
        try (PreparedStatement begin = connection.prepareStatement(
                "INSERT INTO ran (job, fire_time, node, attempt) VALUES (?, ?, ?, ?) RETURNING id")) {
            begin.setString(1, job.name());
            begin.setTimestamp(2, Timestamp.from(fireTime));
            begin.setString(3, node);
            begin.setInt(4, attempt);
            return number(begin);
        }
    }

    private static boolean isFirst(Connection connection, JobSpec job, long id) throws SQLException {
        try (PreparedStatement earlier =
                connection.prepareStatement("SELECT count(*) FROM ran WHERE job = ? AND id < ?")) {
            earlier.setString(1, job.name());
            earlier.setLong(2, id);
            return number(earlier) == 0;
        }
    }

    /** The work is a long statement. */
    private static void work(Connection connection, Duration time) throws SQLException {
        try (PreparedStatement sleep = connection.prepareStatement("SELECT 1 FROM pg_sleep(? / 1000.0)")) {
            sleep.setLong(1, time.toMillis());
            number(sleep);
        }
    }

    private static long number(PreparedStatement query) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Returns the runs of a job in the order in which they began. */
    List<Ran> of(JobSpec job) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                PreparedStatement query = connection.prepareStatement(
                        "SELECT fire_time, node, attempt, started, ended FROM ran WHERE job = ? ORDER BY id")) {
            query.setString(1, job.name());
            List<Ran> runs = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    runs.add(new Ran(
                            rows.getTimestamp(1).toInstant(),
                            rows.getString(2),
                            rows.getInt(3),
                            rows.getTimestamp(4).toInstant(),
                            Optional.ofNullable(rows.getTimestamp(5)).map(Timestamp::toInstant)));
                }
            }
            return runs;
        }
    }

    /** Returns the time by the database's clock. */
    Instant now() throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                PreparedStatement query = connection.prepareStatement("SELECT clock_timestamp()");
                ResultSet rows = query.executeQuery()) {
            rows.next();
            return rows.getTimestamp(1).toInstant();
        }
    }
}
