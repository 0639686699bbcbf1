package dev.baton.cli.run;

import static dev.baton.cli.TestClients.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.cli.BatonProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Starts {@code baton run} with one store, each in its own directory, and ends the remaining processes. */
final class Runs implements AutoCloseable {
    /** On a busy machine a JVM may need ten seconds to start, and some conditions need several of them. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path directory;
    private final String store;
    private final List<BatonProcess> started = new ArrayList<>();

    Runs(Path directory, String store) {
        this.directory = directory;
        this.store = store;
    }

    static Runs onSqlite(Path directory) {
        return new Runs(directory, "jdbc:sqlite:" + directory.resolve("locks.db"));
    }

    String store() {
        return store;
    }

    /** Connects a client of the test. */
    Baton client() {
        return Baton.connect(store, PATIENT);
    }

    /** Returns a file of the test, to which commands write. */
    Path file(String name) {
        return directory.resolve(name);
    }

    /** Runs {@code baton run --store STORE ARGUMENTS}. */
    BatonProcess run(String... arguments) {
        List<String> words = new ArrayList<>(List.of("run", "--store", store));
        words.addAll(List.of(arguments));
        return start(Map.of(), words.toArray(String[]::new));
    }

    /** Runs {@code baton ARGUMENTS}. */
    BatonProcess start(Map<String, String> environment, String... arguments) {
        try {
            Path own = Files.createDirectory(directory.resolve("run" + started.size()));
            BatonProcess process = BatonProcess.start(own, List.of(), environment, arguments);
            started.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, PATIENCE, condition);
    }

    static void until(String what, Duration patience, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("did not happen: " + what).isLessThan(end);
            Thread.sleep(5);
        }
    }

    /** Waits until a command has written a file, and reads it. */
    String written(String name) throws Exception {
        until("the command writes " + name, () -> Files.exists(file(name)) && Files.size(file(name)) > 0);
        return Files.readString(file(name)).strip();
    }

    /** Waits until a command has written its process number to a file, and returns the process. */
    ProcessHandle process(String name) throws Exception {
        return ProcessHandle.of(Long.parseLong(written(name))).orElseThrow();
    }

    /** Returns whether a process has ended; a zombie has. */
    static boolean isGone(ProcessHandle process) {
        return !process.isAlive() || process.info().command().isEmpty();
    }

    @Override
    public void close() {
        started.forEach(BatonProcess::close);
    }
}
