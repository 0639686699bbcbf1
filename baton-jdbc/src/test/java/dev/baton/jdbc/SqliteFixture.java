package dev.baton.jdbc;

import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.StoreFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** An SQLite file of its own. */
final class SqliteFixture implements StoreFixture {
    private final Path directory;
    private final Path file;

    SqliteFixture() throws IOException {
        directory = Files.createTempDirectory("baton-sqlite");
        file = directory.resolve("locks.db");
    }

    Path file() {
        return file;
    }

    @Override
    public void admitOtherUsers() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Override
    public StoreProvider provider() {
        return new JdbcStoreProvider();
    }

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return JdbcStoreProvider.open(config, clock);
    }

    @Override
    public String uri() {
        return "jdbc:sqlite:" + file;
    }

    @Override
    public long residue() throws SQLException {
        long rows = 0;
        if (Files.exists(file)) {
            for (String table : List.of("baton_lease", "baton_ticket", "baton_cancelled")) {
                rows += number("SELECT count(*) FROM " + table);
            }
        }
        return rows;
    }

    /** Queries the file outside Baton. */
    long number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /** Changes the file outside Baton. */
    int change(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri());
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(directory);
    }
}
