package dev.baton.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where the demo keeps its files while it runs. */
public final class DemoDirectory implements AutoCloseable {
    private final Path path;
    private final boolean keep;

    private DemoDirectory(Path path, boolean keep) {
        this.path = path;
        this.keep = keep;
    }

    public static DemoDirectory create(boolean keep) {
        String parent = System.getProperty("java.io.tmpdir");
        try {
            return new DemoDirectory(Files.createTempDirectory(Path.of(parent), "baton-demo-"), keep);
        } catch (IOException e) {
            throw new DemoException(
                    DemoException.Kind.ENVIRONMENT,
                    "cannot create files in " + parent + "; set TMPDIR to a directory that can be written",
                    e);
        }
    }

    public Path path() {
        return path;
    }

    /** Removes everything, unless it is to be kept. */
    @Override
    public void close() {
        if (keep || !Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | java.io.UncheckedIOException e) {
            // What is left lies in the system's own directory for such things.
        }
    }
}
