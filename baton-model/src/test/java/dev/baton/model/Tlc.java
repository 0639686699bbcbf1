package dev.baton.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TLC in a JVM of its own, because it keeps its state in static fields and ends its process. All its files are in a
 * directory below {@code target/tlc}, which stays.
 */
final class Tlc {
    private static final String COMPLETE = "Model checking completed. No error has been found.";
    private static final Pattern VIOLATED = Pattern.compile("(?m)^Error: Invariant (\\w+) is violated");
    private static final Pattern STATES =
            Pattern.compile("(?m)(\\d+) distinct states found, (\\d+) states left on queue");
    private static final Pattern TRACE = Pattern.compile("(?m)^State \\d+: ");

    private Tlc() {}

    /**
     * The result of a run.
     *
     * @param exit TLC's exit status
     * @param output everything it printed
     * @param directory where its files are
     */
    record Result(int exit, String output, Path directory) {
        /** Returns whether TLC says that it visited every state and found nothing. */
        boolean isComplete() {
            return exit == 0 && output.contains(COMPLETE) && found(2).equals(Optional.of(0L));
        }

        Optional<Long> states() {
            return found(1);
        }

        private Optional<Long> found(int group) {
            // The last line of progress is the final one.
            return STATES.matcher(output)
                    .results()
                    .map(each -> Long.parseLong(each.group(group)))
                    .reduce((earlier, later) -> later);
        }

        Optional<String> violated() {
            Matcher found = VIOLATED.matcher(output);
            return found.find() ? Optional.of(found.group(1)) : Optional.empty();
        }

        /** Returns how many states the printed way to the violation has. */
        long trace() {
            return TRACE.matcher(output).results().count();
        }
    }

    static Result run(Run run, int workers, Duration limit) throws IOException, InterruptedException {
        Path directory = Path.of("target", "tlc", run.name()).toAbsolutePath();
        Files.createDirectories(directory);
        for (Model model : Model.values()) {
            Files.copy(source(model), directory.resolve(model.file()), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.writeString(directory.resolve("run.cfg"), run.configuration());
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(command(run, workers, directory))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Thread end = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(end);
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("TLC has not ended after " + limit + ": see " + output);
            }
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(end);
        }
        return new Result(process.exitValue(), Files.readString(output), directory);
    }

    private static List<String> command(Run run, int workers, Path directory) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Runs with one worker end within seconds, before the optimising compiler pays.
                workers == 1 ? "-XX:TieredStopAtLevel=1" : "-XX:TieredStopAtLevel=4",
                "-XX:+UseParallelGC",
                "-Xmx2g",
                // TLC unpacks its standard modules there.
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                jar(),
                tlc2.TLC.class.getName(),
                "-workers",
                Integer.toString(workers),
                "-metadir",
                directory.resolve("states").toString(),
                "-config",
                "run.cfg",
                run.model().file());
    }

    private static String jar() {
        try {
            return Path.of(tlc2.TLC
                            .class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the file of a model. */
    static Path source(Model model) {
        try {
            return Path.of(Tlc.class.getResource(model.file()).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
