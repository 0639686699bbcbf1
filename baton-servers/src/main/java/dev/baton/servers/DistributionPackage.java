package dev.baton.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server program of the system. It is looked up in this order: the system property {@code baton.<program>.server},
 * the {@code PATH}, a Debian package that is unpacked into the user's cache without installing anything.
 *
 * @param program the program's file name
 * @param packages the packages' names, separated by spaces
 * @param packagedPath the program's path in the packages
 */
record DistributionPackage(String program, String packages, String packagedPath) {
    private static final String SCRIPT = "unpack-package.sh";
    private static final long UNPACK_LIMIT_SECONDS = 240;

    /**
     * A program that can be started.
     *
     * @param path where it is
     * @param environment the variables that it needs to find its libraries
     */
    record Program(Path path, Map<String, String> environment) {}

    /**
     * Finds the program.
     *
     * @throws IllegalStateException if there is none, with the command that installs it
     */
    Program get() {
        return get(System.getenv());
    }

    Program get(Map<String, String> environment) {
        @Nullable String named = System.getProperty("baton." + program + ".server");
        if (named != null) {
            return new Program(Path.of(named), Map.of());
        }
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .map(directory -> Path.of(directory, program))
                .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
                .findFirst()
                .map(path -> new Program(path, Map.of()))
                .orElseGet(() -> unpacked(environment));
    }

    private Program unpacked(Map<String, String> environment) {
        try {
            List<String> lines = unpack(environment).lines().toList();
            String libraries = lines.size() > 1 ? lines.get(1) : "";
            return new Program(
                    Path.of(lines.get(0), packagedPath),
                    libraries.isEmpty() ? Map.of() : Map.of("LD_LIBRARY_PATH", libraries));
        } catch (IOException e) {
            throw cannotBeHad(e.getMessage());
        }
    }

    /** Runs the script, and returns its output. */
    private String unpack(Map<String, String> environment) throws IOException {
        Path errors = Files.createTempFile("baton-unpack-", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", script(), SCRIPT, packages, packagedPath)
                    .redirectError(errors.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.onExit().orTimeout(UNPACK_LIMIT_SECONDS, TimeUnit.SECONDS).join();
            if (process.exitValue() != 0 || printed.isBlank()) {
                throw cannotBeHad(Files.readString(errors).strip());
            }
            return printed;
        } finally {
            Files.deleteIfExists(errors);
        }
    }

    private static String script() {
        try (@Nullable InputStream script = DistributionPackage.class.getResourceAsStream(SCRIPT)) {
            if (script == null) {
                throw new IllegalStateException("no " + SCRIPT + " on the class path");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private IllegalStateException cannotBeHad(@Nullable String why) {
        return new IllegalStateException("no " + program + " on the PATH, and its package " + packages
                + " cannot be unpacked: " + why + "\nInstall it: sudo apt-get install " + packages
                + "\n(or name one by -Dbaton." + program + ".server=/path/to/" + program + ")");
    }
}
