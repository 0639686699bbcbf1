package dev.baton.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** The script that starts the command, with the classes of this build. */
public final class Launcher {
    private Launcher() {}

    /**
     * Installs the script as a program {@code baton}.
     *
     * @param bin the directory for the program
     * @param place a directory that does not exist yet
     */
    public static void install(Path bin, Path place) {
        try {
            Path script = Layout.INSTALLED.lay(place, "all.jar");
            jar(Layout.INSTALLED.library(place).resolve("all.jar"));
            // Java cannot make an archive of a jar that names others: without a place for it, the script does not try.
            Path nowhere = Files.createFile(place.resolve("nowhere"));
            BatonProcess.program(
                    bin,
                    "baton",
                    "JAVA_HOME='" + System.getProperty("java.home") + "' XDG_CACHE_HOME='" + nowhere + "' exec '"
                            + script + "' \"$@\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a jar that stands for the class path of this JVM. */
    private static void jar(Path file) throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(":"))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            jar.finish();
        }
    }
}
