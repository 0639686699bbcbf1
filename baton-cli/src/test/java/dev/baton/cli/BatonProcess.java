package dev.baton.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command as a separate process, as users run it. Its files go to a directory of the test. */
public final class BatonProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private final Process process;
    private final Path out;
    private final Path err;
    private final Path temporary;

    private BatonProcess(Process process, Path out, Path err, Path temporary) {
        this.process = process;
        this.out = out;
        this.err = err;
        this.temporary = temporary;
    }

    /** Starts the command without options. */
    public static BatonProcess start(Path directory, String... arguments) {
        return start(directory, List.of(), Map.of(), arguments);
    }

    /** Starts the command with options for the JVM and environment variables. */
    public static BatonProcess start(
            Path directory, List<String> jvmOptions, Map<String, String> environment, String... arguments) {
        return start(directory, CLASS_PATH, jvmOptions, environment, arguments);
    }

    /** Starts the command of another class path. */
    public static BatonProcess start(
            Path directory,
            String classPath,
            List<String> jvmOptions,
            Map<String, String> environment,
            String... arguments) {
        try {
            Path temporary = Files.createDirectories(directory.resolve("tmp"));
            List<String> command = command(temporary, classPath, jvmOptions);
            command.addAll(List.of(arguments));
            File out = directory.resolve("out").toFile();
            File err = directory.resolve("err").toFile();
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out).redirectError(err);
            builder.environment().put("LC_ALL", "C.UTF-8");
            builder.environment().putAll(environment);
            return new BatonProcess(builder.start(), out.toPath(), err.toPath(), temporary);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command line before the arguments. */
    public static List<String> command(Path temporary, List<String> jvmOptions) {
        return command(temporary, CLASS_PATH, jvmOptions);
    }

    private static List<String> command(Path temporary, String classPath, List<String> jvmOptions) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary));
        if (Runtime.version().feature() >= 23) {
            // The launcher does the same: otherwise each command would print a warning about etcd's client.
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, "dev.baton.cli.Main"));
        return command;
    }

    /** Writes a program {@code baton} into a directory, for shells that have it in their {@code PATH}. */
    public static void install(Path bin, Path temporary, List<String> jvmOptions) {
        String java = command(temporary, jvmOptions).stream()
                .map(word -> '\'' + word + '\'')
                .collect(Collectors.joining(" "));
        program(bin, "baton", "exec " + java + " \"$@\"");
    }

    /** Writes a program for {@code sh}. */
    public static void program(Path bin, String name, String text) {
        try {
            Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + text + '\n');
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes to its standard input, and closes it at once. */
    public void type(String text) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until this text appears on standard output or standard error. */
    public void awaitSaid(String what) throws InterruptedException {
        for (int i = 0; i < PATIENCE_SECONDS * 50; i++) {
            if ((out() + err()).contains(what)) {
                return;
            }
            Thread.sleep(20);
        }
        throw new AssertionError("not said: " + what + "; but: " + out() + err());
    }

    /** Waits until the process has ended. */
    public int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + PATIENCE_SECONDS + " s; so far: " + out() + err());
        }
        return process.exitValue();
    }

    public String out() {
        return read(out);
    }

    public String err() {
        return read(err);
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public List<ProcessHandle> children() {
        return process.descendants().toList();
    }

    public void kill() {
        process.destroyForcibly();
    }

    /** Sends a signal, such as {@code STOP}, only to the process itself. */
    public void signal(String name) {
        signal(process.pid(), name);
    }

    /**
     * Returns whether this process and its children ignore a signal, as they do under {@code nohup} or if a script
     * starts them in the background. If the kernel does not tell, the answer is no.
     */
    public static boolean ignores(String signal) {
        int number = List.of("HUP", "INT").indexOf(signal) + 1;
        Path status = Path.of("/proc/self/status");
        return number > 0
                && Files.exists(status)
                && read(status)
                        .lines()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .map(line -> Long.parseUnsignedLong(
                                line.substring("SigIgn:".length()).trim(), 16))
                        .anyMatch(mask -> (mask & 1L << (number - 1)) != 0);
    }

    /** Sends a signal to any process. */
    public static void signal(long pid, String name) {
        try {
            int exitCode = new ProcessBuilder("kill", "-s", name, Long.toString(pid))
                    .start()
                    .waitFor();
            if (exitCode != 0) {
                throw new AssertionError("kill -s " + name + ' ' + pid + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the files that the process left behind. */
    public List<String> leftFiles() {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("hsperfdata"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> children = children();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
