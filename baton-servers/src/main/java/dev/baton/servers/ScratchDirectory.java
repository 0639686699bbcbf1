package dev.baton.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Temporary directories, in the system's directory or in the one that the system property {@code baton.servers.scratch}
 * names.
 */
final class ScratchDirectory {
    private ScratchDirectory() {}

    static Path create() {
        try {
            String parent = System.getProperty("baton.servers.scratch");
            return parent == null
                    ? Files.createTempDirectory("baton-server-")
                    : Files.createTempDirectory(Path.of(parent), "baton-server-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes as much as possible. */
    static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException litter) {
            // Files that remain are in the system's directory for temporary files.
        }
    }
}
