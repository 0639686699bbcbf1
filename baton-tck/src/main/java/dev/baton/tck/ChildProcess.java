package dev.baton.tck;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A second JVM with the class path of this one, which a test can kill, pause and resume. It reads commands and writes
 * answers, one a line. Its error output goes to a file, by default under {@code target/children}. It is killed when it is closed,
 * at the latest when this JVM ends. Thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int LINES_BOUND = 100_000;

    /** Stands behind the last line of a process that has ended. */
    private static final String END = "(end of output)";

    private static final int LOG_CHARS = 2_000;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    private final Process process;
    private final Writer commands;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(LINES_BOUND);
    private final Path log;
    private final Thread reader;

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        this.reader = new Thread(this::read, "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a JVM.
     *
     * @param main its main class
     * @param arguments the arguments of the main class
     */
    public static ChildProcess start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(), main, arguments);
    }

    /**
     * Starts a JVM through another program.
     *
     * @param launcher the program and its arguments; the command of the JVM is appended
     * @param main the JVM's main class
     * @param arguments the arguments of the main class
     */
    static ChildProcess start(List<String> launcher, Class<?> main, String... arguments) throws IOException {
        return start(Path.of("target", "children"), launcher, Map.of(), main, arguments);
    }

    /**
     * Starts a JVM.
     *
     * @param logs the directory for its error output
     * @param environment variables that it gets in addition to this JVM's
     * @param main its main class
     * @param arguments the arguments of the main class
     */
    public static ChildProcess start(Path logs, Map<String, String> environment, Class<?> main, String... arguments)
            throws IOException {
        return start(logs, List.of(), environment, main, arguments);
    }

    private static ChildProcess start(
            Path logs, List<String> launcher, Map<String, String> environment, Class<?> main, String... arguments)
            throws IOException {
        Files.createDirectories(logs);
        long jvm = ProcessHandle.current().pid();
        Path log = logs.resolve(main.getSimpleName() + "-" + jvm + "-" + COUNT.incrementAndGet() + ".log");
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(new File(log.toString()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        ALIVE.add(process);
        return new ChildProcess(process, log);
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException ended) {
            // The process was killed.
        }
        lines.add(END);
    }

    /** Sends one line. */
    public void send(String command) {
        try {
            commands.write(command + '\n');
            commands.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException("the child is gone; see " + log, gone);
        }
    }

    /**
     * Waits for a line with this beginning, skips other lines, and returns the rest of it.
     *
     * @throws AssertionError if the process ends before, or says nothing in time; with its error output
     */
    public String expect(String beginning, Duration limit) throws InterruptedException {
        return Objects.requireNonNull(expectEach(limit, beginning).get(beginning));
    }

    /**
     * Waits for a line with each of these beginnings, in any order, skips other lines, and returns the rest of each.
     *
     * @throws AssertionError if the process ends before, or says too little in time; with its error output
     */
    public Map<String, String> expectEach(Duration limit, String... beginnings) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        Map<String, String> told = new HashMap<>();
        List<String> others = new ArrayList<>();
        while (told.size() < beginnings.length) {
            @Nullable String line = lines.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw tooFew("within " + limit, told, List.of(beginnings), others);
            }
            if (line.equals(END)) {
                lines.add(END);
                throw tooFew("until the end of its output", told, List.of(beginnings), others);
            }
            others.add(line);
            for (String beginning : beginnings) {
                if (line.startsWith(beginning)) {
                    told.put(beginning, line.substring(beginning.length()).trim());
                }
            }
        }
        return told;
    }

    private AssertionError tooFew(String when, Map<String, String> told, List<String> wanted, List<String> others) {
        return new AssertionError("the child " + (process.isAlive() ? "" : "(ended) ") + "said only " + told + " of "
                + wanted + " " + when + ", and " + others + "; its error output:\n" + errorOutput());
    }

    /** A test machine is often gone when somebody reads the message, and the file with it. */
    private String errorOutput() {
        try {
            String text = Files.readString(log);
            // What happened is in front, above a long trace.
            return text.length() <= 2 * LOG_CHARS
                    ? text
                    : text.substring(0, LOG_CHARS) + "\n[…]\n" + text.substring(text.length() - LOG_CHARS);
        } catch (IOException unreadable) {
            return log + ", which cannot be read: " + unreadable;
        }
    }

    /** Waits until the process has ended, and returns the lines that no caller has expected so far. */
    public List<String> rest() throws InterruptedException {
        process.waitFor();
        reader.join();
        List<String> rest = new ArrayList<>();
        lines.drainTo(rest);
        rest.remove(END);
        return rest;
    }

    /** Returns the process ID. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process runs, or is stopped. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL, and waits until the process has ended. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        ALIVE.remove(process);
    }

    /** Sends only SIGTERM. {@link Process#destroy} also closes the child's input, at which the child may end. */
    public void terminate() throws IOException, InterruptedException {
        signal("TERM");
    }

    /** Sends SIGSTOP. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Sends SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill -" + name + " failed with exit code " + exit);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        ALIVE.remove(process);
    }
}
