package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A JVM whose user can start no more threads while the test forbids it. Root is exempt from the limit. Therefore, if a
 * test runs as root, this JVM runs as the user nobody, with the right to read all files. Needs {@code setpriv} and
 * {@code prlimit} of util-linux.
 */
final class ThreadLimitedProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String NOBODY = "65534";

    private final ChildProcess child;

    private ThreadLimitedProcess(ChildProcess child) {
        this.child = child;
    }

    /** Fails if the machine lacks the tools. */
    static void requireTools() {
        for (String tool : List.of("setpriv", "prlimit")) {
            boolean found = Arrays.stream(System.getenv("PATH").split(":", -1))
                    .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
            assertThat(found)
                    .as(
                            "%s is not here: without it no process can be brought to its limit of threads. It is part of"
                                    + " util-linux (apt-get install util-linux)",
                            tool)
                    .isTrue();
        }
    }

    /** Starts {@link ThreadLimitedTaker}, which connects two clients. */
    static ThreadLimitedProcess start(
            String uri, Duration lease, Duration grace, Duration storeTimeout, Duration inTime, Duration brief)
            throws IOException, InterruptedException {
        List<String> launcher = new ArrayList<>(asNobody());
        if (!launcher.isEmpty()) {
            launcher.addAll(List.of("--inh-caps=+dac_override", "--ambient-caps=+dac_override"));
        }
        ChildProcess child = ChildProcess.start(
                launcher,
                ThreadLimitedTaker.class,
                uri,
                Long.toString(lease.toMillis()),
                Long.toString(grace.toMillis()),
                Long.toString(storeTimeout.toMillis()),
                Long.toString(inTime.toMillis()),
                Long.toString(brief.toMillis()));
        try {
            child.expect("READY", PATIENCE);
        } catch (AssertionError | InterruptedException notReady) {
            child.close();
            throw notReady;
        }
        return new ThreadLimitedProcess(child);
    }

    private static List<String> asNobody() throws IOException {
        boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        return root ? List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups") : List.of();
    }

    /** Sets the limit to one thread, which is fewer than exist: no thread can be started. */
    void forbidThreads() throws IOException, InterruptedException {
        limit("1");
    }

    void allowThreads() throws IOException, InterruptedException {
        String hard = Files.readAllLines(Path.of("/proc", Long.toString(child.pid()), "limits")).stream()
                .filter(line -> line.startsWith("Max processes"))
                .map(line -> line.trim().split("\\s+", -1)[3])
                .findFirst()
                .orElseThrow();
        limit(hard);
    }

    /** Sets the soft limit. The process's own user may lower and raise it, so the command runs as that user. */
    private void limit(String soft) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asNobody());
        command.addAll(List.of("prlimit", "--pid", Long.toString(child.pid()), "--nproc=" + soft + ':'));
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IOException(command + " failed with exit code " + exit);
        }
    }

    /** Connects one more client. Returns CONNECTED, or REFUSED and the exception. */
    String connect() throws InterruptedException {
        child.send("connect");
        return child.expect("CONNECT:", PATIENCE);
    }

    /** Runs a round of callers of every kind. One of them waits no longer than the given time for a free name. */
    Round round(String name, Duration wait) throws InterruptedException {
        child.send("round " + wait.toMillis() + ' ' + name);
        return new Round(name, child.expect("ROUND:", PATIENCE));
    }

    /**
     * The answers to the callers of a round, one word each.
     *
     * @param name of the round
     * @param answers GRANTED, EMPTY, or FAILED: and the StoreException, in time; otherwise the fault
     */
    record Round(String name, String answers) {
        void assertAllAnswered() {
            assertThat(answers.split(" ", -1))
                    .as("%s", this)
                    .isNotEmpty()
                    .allMatch(each -> each.matches("GRANTED|EMPTY|FAILED:\\S+"));
        }

        void assertAllGranted() {
            assertThat(answers.split(" ", -1)).as("%s", this).isNotEmpty().allMatch(each -> each.equals("GRANTED"));
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
