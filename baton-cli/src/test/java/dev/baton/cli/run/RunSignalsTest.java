package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Signals to the process that users know as {@code baton}, for every way to start it. The command gets the same signals
 * as without Baton, each once. The test uses the real script that starts the command.
 */
@Tag("serial")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no bash")
class RunSignalsTest {
    /**
     * The JVM reports QUIT last. The list ends with a signal whose arrival shows that the earlier ones have arrived.
     */
    private static final List<String> SIGNALS = List.of("QUIT", "INT", "TERM", "HUP", "USR1", "USR2");

    /** How a job is started at a terminal; {@code JOB} is its command line. */
    private enum Way {
        FOREGROUND("JOB"),
        JOB_IN_THE_BACKGROUND("JOB &"),
        SCRIPT_IN_THE_BACKGROUND("bash -c 'JOB & wait'"),
        NOHUP("nohup JOB >nohup.out 2>&1"),
        PROCESS_ONE("unshare --pid --fork --mount-proc JOB");

        private final String line;

        Way(String line) {
            this.line = line;
        }
    }

    @TempDir
    private Path directory;

    private TerminalShell shell;
    private int jobs;

    @BeforeEach
    void open() throws Exception {
        shell = TerminalShell.open(directory, "jdbc:sqlite:" + directory.resolve("locks.db"));
        Launcher.install(directory, directory.resolve("installed"));
    }

    @AfterEach
    void close() throws IOException {
        for (int i = 1; i <= jobs; i++) {
            Files.writeString(directory.resolve("stop" + i), "");
        }
        shell.close();
    }

    static Stream<Way> ways() throws Exception {
        boolean root = new ProcessBuilder("unshare", "--pid", "--fork", "--mount-proc", "true")
                        .start()
                        .waitFor()
                == 0;
        return Stream.of(Way.values()).filter(way -> root || way != Way.PROCESS_ONE);
    }

    /**
     * Returns a job that records its signals, and sends signals on request: to its parent under Baton, otherwise to
     * itself.
     */
    private String job(boolean underBaton) throws IOException {
        int job = ++jobs;
        String script =
                """
                for name in %s; do trap "echo $name >>'got%d'" $name; done
                echo $$ >pid%d
                until [ -e stop%d ]; do
                    if [ -e ask%d ]; then read -r name <ask%d; rm ask%d; kill -s "$name" %s; fi
                    sleep 0.05
                done
                """.formatted(String.join(" ", SIGNALS), job, job, job, job, job, job, underBaton ? "$PPID" : "$$");
        Files.writeString(directory.resolve("job" + job), script);
        return (underBaton ? "baton run --name x" + job + " -- " : "") + "bash job" + job;
    }

    private Map<String, Integer> got(int job) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        Path file = directory.resolve("got" + job);
        if (Files.exists(file)) {
            Files.readAllLines(file).forEach(name -> counts.merge(name, 1, Integer::sum));
        }
        return counts;
    }

    private void begin(Way way, boolean underBaton) throws Exception {
        shell.type(way.line.replace("JOB", job(underBaton)));
        Path pid = directory.resolve("pid" + jobs);
        Runs.until("the job begins", () -> Files.exists(pid));
    }

    private void end(Way way) throws Exception {
        Files.writeString(directory.resolve("stop" + jobs), "");
        if (way == Way.JOB_IN_THE_BACKGROUND) {
            // A job that has not looked before its directory is deleted would run for ever.
            Path pid = directory.resolve("pid" + jobs);
            long job = Long.parseLong(Files.readString(pid).strip());
            Runs.until(
                    "the job has ended",
                    () -> ProcessHandle.of(job).map(Runs::isGone).orElse(true));
        } else {
            shell.expectPrompt();
        }
    }

    /** Makes the job send a signal. The rename lets the job find a complete file or none. */
    private void ask(int job, String signal) throws Exception {
        Path ask = directory.resolve("ask" + job);
        Files.move(Files.writeString(directory.resolve("asking" + job), signal + '\n'), ask);
        Runs.until("it is sent", () -> !Files.exists(ask));
    }

    /** Makes the job send each signal, and waits for those that arrive without Baton. */
    private Map<String, Integer> counts(Way way, boolean underBaton, List<String> arriving) throws Exception {
        begin(way, underBaton);
        int job = jobs;
        for (String signal : SIGNALS) {
            ask(job, signal);
            if (arriving.contains(signal)) {
                Runs.until("the command gets " + signal, () -> got(job).containsKey(signal));
            }
        }
        end(way);
        return got(job);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void signalToBaton_isTheCommands_onceEach(Way way) throws Exception {
        Map<String, Integer> without = counts(way, false, List.of("USR2"));
        assertThat(without.values()).containsOnly(1);
        assertThat(without).hasSizeGreaterThanOrEqualTo(SIGNALS.size() - 2);
        Map<String, Integer> with = counts(way, true, new ArrayList<>(without.keySet()));
        assertThat(with).as("%s: %s", way, shell.shown()).isEqualTo(without);
        shell.hasNotShown("thread dump");
    }

    @Test
    void signalOfTheTerminal_orToTheGroup_isTheCommands_onceEach() throws Exception {
        begin(Way.FOREGROUND, true);
        int job = jobs;
        shell.control('C');
        Runs.until("INT", () -> got(job).containsKey("INT"));
        shell.control('\\');
        Runs.until("QUIT", () -> got(job).containsKey("QUIT"));
        long pid =
                Long.parseLong(Files.readString(directory.resolve("pid" + job)).strip());
        long baton = ProcessHandle.of(pid).orElseThrow().parent().orElseThrow().pid();
        for (String signal : List.of("TERM", "HUP", "USR1")) {
            assertThat(new ProcessBuilder("kill", "-s", signal, "--", "-" + baton)
                            .start()
                            .waitFor())
                    .isZero();
            Runs.until(signal, () -> got(job).containsKey(signal));
        }
        ask(job, "USR2");
        Runs.until("USR2", () -> got(job).containsKey("USR2"));
        end(Way.FOREGROUND);
        assertThat(got(job).values()).containsOnly(1);
        assertThat(got(job)).hasSameSizeAs(SIGNALS);
        shell.hasNotShown("thread dump");
    }
}
