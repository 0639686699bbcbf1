package dev.baton.servers;

import dev.baton.spi.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The process of a server. Its output goes to a file under {@code target/servers}. Thread-safe. */
final class ServerProcess {
    private static final long END_LIMIT_SECONDS = 20;
    private static final int TAIL_LINES = 30;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Process process;
    private final Path log;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a program with additional variables in its environment. The name of its log begins with the given name.
     */
    static ServerProcess start(String name, Path directory, List<String> command, Map<String, String> environment)
            throws IOException {
        Path logs = Files.createDirectories(Path.of("target", "servers"));
        long jvm = ProcessHandle.current().pid();
        Path log = logs.resolve(name + "-" + jvm + "-" + COUNT.incrementAndGet() + ".log")
                .toAbsolutePath();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new ServerProcess(process, log);
    }

    Path log() {
        return log;
    }

    long pid() {
        return process.pid();
    }

    /** Returns the last lines of the log. */
    String tail() {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits this long for the end of the process. Returns whether it has ended. */
    boolean endsWithin(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Sends a signal with {@code kill}. */
    void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kill.onExit().join().exitValue() != 0) {
                throw new IllegalStateException("kill -" + name + " failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGSTOP, and waits until none of its threads runs: the signal may arrive after {@code kill} has ended. */
    void pause() {
        signal("STOP");
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(END_LIMIT_SECONDS));
        try {
            boolean goesOn = isRunning();
            while (goesOn && deadline.leftNanos() > 0) {
                goesOn = !endsWithin(1) && isRunning();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether Linux reports a thread that is not stopped. On other systems there is no check. */
    private boolean isRunning() {
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        try (Stream<Path> all = Files.isDirectory(threads) ? Files.list(threads) : Stream.empty()) {
            return all.map(thread -> thread.resolve("stat")).anyMatch(ServerProcess::isOfRunning);
        } catch (IOException ended) {
            return false;
        }
    }

    private static boolean isOfRunning(Path stat) {
        try {
            String line = Files.readString(stat);
            // The state follows the program's name, which may contain spaces and brackets.
            return line.charAt(line.lastIndexOf(')') + 2) != 'T';
        } catch (IOException ended) {
            return false;
        }
    }

    /** Sends SIGTERM, and waits until the process has ended. If it does not end in time, sends SIGKILL. */
    void terminate() {
        process.destroy();
        try {
            awaitEnd();
        } catch (CompletionException stubborn) {
            kill();
        }
    }

    /** Sends SIGKILL, and waits until the process has ended. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Waits and ignores interrupts, so that an interrupted caller still cleans up. */
    private void awaitEnd() {
        process.onExit().orTimeout(END_LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }
}
