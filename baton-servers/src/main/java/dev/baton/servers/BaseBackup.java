package dev.baton.servers;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** A copy of the data of a running PostgreSQL, 15 or later, as {@code pg_basebackup} makes it: the beginning of a standby. */
final class BaseBackup {
    /** Files of the running processes, and of the library that starts them. */
    private static final Set<String> LEFT_OUT =
            Set.of("postmaster.pid", "postmaster.opts", "epg-lock", "standby.signal", "postgresql.auto.conf");

    private BaseBackup() {}

    /** Copies the data that the server of an address has. */
    static void copy(String uri, Path from, Path to) throws IOException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('standby', true)");
            copyFiles(from, to);
            try (ResultSet label = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                label.next();
                Files.writeString(to.resolve("backup_label"), label.getString(1));
            }
        } catch (SQLException e) {
            throw new IOException("PostgreSQL lets no one copy its data", e);
        }
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Path copy = to.resolve(from.relativize(directory).toString());
                Files.createDirectories(copy);
                Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(directory));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!LEFT_OUT.contains(String.valueOf(file.getFileName()))) {
                    try {
                        Files.copy(
                                file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
                    } catch (NoSuchFileException deletedMeanwhile) {
                        // A table was dropped, or a segment of the log recycled: the log says so as well.
                        return FileVisitResult.CONTINUE;
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
    }
}
