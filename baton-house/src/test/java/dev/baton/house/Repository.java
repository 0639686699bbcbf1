package dev.baton.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of this repository. */
final class Repository {
    static final Path ROOT = root();

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private Repository() {}

    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        Path at = start;
        while (at != null && !Files.exists(at.resolve("mvnw"))) {
            at = at.getParent();
        }
        if (at == null) {
            throw new IllegalStateException("no directory with mvnw above " + start);
        }
        return at;
    }

    /** Returns the modules with code, in the order of the reactor. */
    static List<String> modules() {
        return allModules().stream()
                .filter(module -> Files.isDirectory(mainJava(module)) || Files.isDirectory(mainKotlin(module)))
                .toList();
    }

    /** All modules, in the order of the reactor. */
    static List<String> allModules() {
        return MODULE.matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Whether a module is deployed; those that are not say so in their pom. */
    static boolean isPublished(String module) {
        return !read(ROOT.resolve(module).resolve("pom.xml")).contains("<maven.deploy.skip>true</maven.deploy.skip>");
    }

    static Path mainJava(String module) {
        return ROOT.resolve(module).resolve("src/main/java");
    }

    private static Path mainKotlin(String module) {
        return ROOT.resolve(module).resolve("src/main/kotlin");
    }

    static Path testJava(String module) {
        return ROOT.resolve(module).resolve("src/test/java");
    }

    /** Returns all Java files below a directory; none if the directory does not exist. */
    static List<Path> javaFiles(Path directory) {
        return Files.isDirectory(directory) ? walk(directory, ".java") : List.of();
    }

    private static List<Path> walk(Path directory, String ending) {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.filter(Files::isRegularFile)
                    .filter(path -> path.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the files that git tracks or would add; in a copy without git, all files except build output. */
    static List<Path> files() {
        if (!Files.exists(ROOT.resolve(".git"))) {
            return walk(ROOT, "").stream()
                    .filter(path -> !name(path).contains("target/"))
                    .toList();
        }
        return run("git", "ls-files", "--cached", "--others", "--exclude-standard")
                .lines()
                .distinct()
                .map(ROOT::resolve)
                .filter(Files::isRegularFile)
                .toList();
    }

    static List<Path> files(String ending) {
        return files().stream().filter(path -> path.toString().endsWith(ending)).toList();
    }

    private static String run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(ROOT.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed in " + ROOT);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a file's path as the documents write it. */
    static String name(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    /** Returns all matches in a file, as {@code file:line: what}. */
    static List<String> occurrences(Path file, Pattern what) {
        try {
            // Each byte is a character of this charset, so pictures and archives can be read as well.
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            return what.matcher(text)
                    .results()
                    .map(found -> name(file) + ":" + lineOf(text, found.start()) + ": " + found.group())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long lineOf(String text, int offset) {
        return 1 + text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }
}
