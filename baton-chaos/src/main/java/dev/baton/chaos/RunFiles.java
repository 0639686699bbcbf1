package dev.baton.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where runs write their files. */
final class RunFiles {
    private RunFiles() {}

    /**
     * Returns the directory of a run, which is new.
     *
     * @param wanted by the user; null for one below {@code target/chaos}
     * @param kind the beginning of its name
     * @throws IllegalArgumentException if it exists
     */
    static Path directory(@Nullable Path wanted, String kind, String store, long number) {
        Path files = wanted == null
                ? Path.of("target", "chaos", kind + store.replaceAll("[^a-z-].*", "") + '-' + number)
                : wanted;
        if (Files.exists(files)) {
            throw new IllegalArgumentException(files + " exists: name a new directory with --directory");
        }
        return files.toAbsolutePath();
    }
}
