package dev.baton.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Starts the child processes, and makes sure that none survives. Thread-safe. */
public final class Children implements AutoCloseable {
    private static final String LOGGING = "java.util.logging.config.class";

    private final Path directory;
    private final boolean debug;
    private final Queue<Child> started = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    /**
     * No children yet.
     *
     * @param directory where their standard error goes
     * @param debug whether it goes to this process's standard error instead
     */
    public Children(Path directory, boolean debug) {
        this.directory = directory;
        this.debug = debug;
    }

    Child start(Assignment assignment) {
        ProcessBuilder builder = new ProcessBuilder(command(assignment));
        builder.redirectError(
                debug
                        ? ProcessBuilder.Redirect.INHERIT
                        : ProcessBuilder.Redirect.appendTo(
                                directory.resolve("errors.txt").toFile()));
        try {
            Child child = new Child(assignment.name(), builder.start());
            started.add(child);
            if (closed) {
                child.kill();
            }
            return child;
        } catch (IOException e) {
            throw new DemoException(
                    DemoException.Kind.ENVIRONMENT, "cannot start a Java process: " + e.getMessage(), e);
        }
    }

    /** Throws if one of them failed. */
    void check() {
        started.forEach(Child::check);
    }

    @Override
    public void close() {
        closed = true;
        killAll();
    }

    /** Kills all children, including stopped ones. */
    void killAll() {
        started.forEach(Child::kill);
        try {
            for (Child child : started) {
                child.ended();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        started.clear();
    }

    private List<String> command(Assignment assignment) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx128m",
                "-Xshare:auto",
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "--enable-native-access=ALL-UNNAMED"));
        String archive = System.getProperty("baton.archive", "");
        if (!archive.isEmpty()) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        // Drivers that log by java.util.logging keep quiet in the children as in the parent.
        String logging = System.getProperty(LOGGING, "");
        if (!logging.isEmpty()) {
            command.add("-D" + LOGGING + "=" + logging);
        }
        // The driver unpacks its native library here, and a killed process cannot delete it.
        command.add("-Dorg.sqlite.tmpdir=" + directory);
        command.add("-Djava.io.tmpdir=" + directory);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(ChildMain.class.getName());
        command.addAll(assignment.toArguments());
        return command;
    }
}
