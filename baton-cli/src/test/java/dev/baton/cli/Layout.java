package dev.baton.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Where the script that starts the command stands, and its jars. */
enum Layout {
    /** What was built is started, by the same launcher. */
    CHECKOUT("baton", "baton-cli/target/app"),
    /** As the archive is unpacked. */
    INSTALLED("bin/baton", "lib");

    private static final Path LAUNCHER = Path.of("src/main/launcher/baton");

    private final String script;
    private final String library;

    Layout(String script, String library) {
        this.script = script;
        this.library = library;
    }

    Path library(Path place) {
        return place.resolve(library);
    }

    /** Puts the script into a new directory, and a list of one jar, which is not there yet. */
    Path lay(Path place, String jar) throws IOException {
        if (this == CHECKOUT) {
            copy(Path.of("..", "baton"), place.resolve(script));
            copy(LAUNCHER, place.resolve("baton-cli").resolve(LAUNCHER));
        } else {
            copy(LAUNCHER, place.resolve(script));
        }
        Files.createDirectories(library(place));
        Files.writeString(library(place).resolve("class-path"), jar + '\n');
        return place.resolve(script);
    }

    private static void copy(Path file, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES);
    }
}
