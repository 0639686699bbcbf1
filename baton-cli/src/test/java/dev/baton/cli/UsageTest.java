package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.cli.console.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers to typing errors, and the behaviour that scripts rely on. */
class UsageTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nonsense                    | 2 | nonsense
            demo --nonsense             | 2 | --nonsense
            demo --stock many           | 2 | --stock
            demo --stock 3              | 2 | --stock must be from 60
            demo --processes 0          | 2 | --processes must be from 1 to 16
            demo --lock mystery         | 2 | no lock "mystery"
            demo --store memory:        | 2 | inside a process
            demo --store nonsense       | 2 | --store:
            ls --store nonsense         | 2 | --store:
            ls one two                  | 2 | two
            show                        | 2 | NAME
            watch --interval soon       | 2 | is not a time
            release x                   | 2 | --force
            check nonsense              | 2 | is not an address
            ls --store jdbc:sqlite:/nonexistent/x.db     | 5 | /nonexistent
            ls --store jdbc:postgresql://127.0.0.1:1/x   | 5 | refused
            ls --store jdbc:mariadb://127.0.0.1:1/x      | 5 | refused
            check jdbc:sqlite:/nonexistent/x.db          | 12 | /nonexistent
            demo --store jdbc:sqlite:/nonexistent/x.db | 5 | /nonexistent
            """)
    void wrongArguments_areToldInOneLine(String line, int exitCode, String said) throws Exception {
        try (BatonProcess baton = BatonProcess.start(directory, line.split(" "))) {
            assertThat(baton.exitCode()).as(baton.err()).isEqualTo(exitCode);
            assertThat(baton.out()).isEmpty();
            assertThat(baton.err()).startsWith("baton: ").contains(said).hasLineCount(1);
            assertThat(baton.leftFiles()).isEmpty();
        }
    }

    /** A program that asked for one JSON object gets one in every error case. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nonsense --json                                                        | 2
            ls --json --nonsense                                                   | 2
            ls --json --limit 0                                                    | 2
            ls --json --store jdbc:postgresql://127.0.0.1:1/x                      | 5
            show --json                                                            | 2
            show x --json --store jdbc:sqlite:/nonexistent/x.db                    | 5
            watch --json --interval soon                                           | 2
            watch --json --count 1 --store jdbc:sqlite:/nonexistent/x.db           | 5
            release x --json                                                       | 2
            release x --json --force                                               | 2
            release x --json --force --yes --store jdbc:sqlite:/nonexistent/x.db   | 5
            jobs --json --nonsense                                                 | 2
            jobs --json --store jdbc:sqlite:/nonexistent/x.db                      | 5
            elect --json --show                                                    | 125
            elect --json --show --name x --store jdbc:sqlite:/nonexistent/x.db     | 122
            check --json --store nonsense                                          | 2
            check --json jdbc:sqlite:/nonexistent/x.db                             | 12
            demo --json --stock 3                                                  | 2
            demo --json --store jdbc:sqlite:/nonexistent/x.db                      | 5
            """)
    void json_isOneObject_whateverHappens(String line, int exitCode) throws Exception {
        try (BatonProcess baton = BatonProcess.start(directory, line.split(" "))) {
            assertThat(baton.exitCode()).as(baton.err()).isEqualTo(exitCode);
            assertThat(baton.out()).hasLineCount(1);
            Map<String, Object> object = JSON.std.mapFrom(baton.out());
            assertThat(object).containsEntry("exitCode", exitCode);
            assertThat(object).containsKey(line.startsWith("check --json jdbc") ? "verdict" : "error");
        }
    }

    /** A fault such as a missing library is not an exception to Java. */
    @Test
    void fault_thatIsNoException_isToldInOneLine_andAsJson() throws Exception {
        Path broken = Files.createDirectories(directory.resolve("broken/META-INF/services"));
        Files.writeString(broken.resolve("dev.baton.spi.StoreProvider"), "no.such.Provider\n");
        List<String> options = List.of("-Xbootclasspath/a:" + directory.resolve("broken"));
        try (BatonProcess baton = BatonProcess.start(directory, options, Map.of(), "ls", "--json", "--store", "x:y")) {
            assertThat(baton.exitCode()).as(baton.err()).isEqualTo(ExitCode.INTERNAL);
            assertThat(baton.err()).startsWith("baton: unexpected ").hasLineCount(1);
            assertThat(JSON.std.mapFrom(baton.out())).containsEntry("exitCode", ExitCode.INTERNAL);
        }
    }

    @Test
    void help_namesCommandsLocksAndExitCodes() throws Exception {
        try (BatonProcess baton = BatonProcess.start(directory, "--help")) {
            assertThat(baton.exitCode()).isZero();
            assertThat(baton.out()).contains("demo").doesNotContain("\u001b");
        }
        try (BatonProcess baton = BatonProcess.start(directory, "demo", "--help")) {
            assertThat(baton.exitCode()).isZero();
            assertThat(baton.out())
                    .contains("expiry-only", "Exit codes:", "--json")
                    .doesNotContain("rehearse");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "show", "watch", "release", "check", "jobs"})
    void help_ofCommand_listsExitCodes_andFitsATerminal(String command) throws Exception {
        try (BatonProcess baton = BatonProcess.start(directory, command, "--help")) {
            assertThat(baton.exitCode()).isZero();
            assertThat(baton.out()).contains("Usage: baton " + command, "Exit codes:", "--json", "--store", "JSON: ");
            assertThat(baton.out().lines()).allMatch(line -> line.length() <= 80);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"job run", "elect"})
    void help_ofCommandThatRunsOthers_listsItsEnvironmentAndExitCodes(String command) throws Exception {
        try (BatonProcess baton = BatonProcess.start(directory, (command + " --help").split(" "))) {
            assertThat(baton.exitCode()).isZero();
            assertThat(baton.out())
                    .contains("Usage: baton " + command, "Exit codes", "BATON_TOKEN", "--store", "--kill-after", "127");
            assertThat(baton.out().lines()).allMatch(line -> line.length() <= 80);
        }
    }

    @Test
    void noCommand_showsHelpOnStandardError() throws Exception {
        try (BatonProcess baton = BatonProcess.start(directory)) {
            assertThat(baton.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(baton.err()).contains("Usage: baton");
            assertThat(baton.out()).isEmpty();
        }
    }

    @Test
    void completion_isWhatBashUnderstands() throws Exception {
        try (BatonProcess baton = BatonProcess.start(directory, "generate-completion")) {
            assertThat(baton.exitCode()).isZero();
            Path script = Files.writeString(directory.resolve("completion"), baton.out());
            Process bash = new ProcessBuilder(
                            "bash",
                            "-c",
                            "source " + script + "; COMP_WORDS=(baton re); COMP_CWORD=1; COMP_LINE='baton re';"
                                    + " _complete_baton; echo \"${COMPREPLY[@]}\"")
                    .redirectErrorStream(true)
                    .start();
            assertThat(bash.inputReader().readLine()).isEqualTo("release");
        }
    }

    @Test
    void manual_hasAPageForEachCommand() throws Exception {
        Path manual = directory.resolve("manual");
        Manual.write(manual.toFile(), "1.2.3");
        assertThat(manual.resolve("baton-run.adoc"))
                .content()
                .contains("--kill-after", "BATON_TOKEN", "baton 1.2.3")
                .doesNotContain("Java ");
        try (Stream<Path> pages = Files.list(manual)) {
            assertThat(pages.map(page -> page.getFileName().toString()))
                    .contains("baton.adoc", "baton-ls.adoc", "baton-check.adoc", "baton-demo.adoc")
                    .contains("baton-job.adoc", "baton-job-run.adoc", "baton-jobs.adoc", "baton-elect.adoc");
        }
    }

    /** What ends a command that lost its lock. */
    @Test
    void run_isRefusedWhereThereAreNoSignals() throws Exception {
        List<String> windows = List.of("-Dos.name=Windows 11");
        Path store = directory.resolve("locks.db");
        try (BatonProcess baton = BatonProcess.start(
                directory, windows, Map.of(), "run", "--store", "jdbc:sqlite:" + store, "--name", "x", "--", "true")) {
            assertThat(baton.exitCode()).isEqualTo(ExitCode.RUN_ITSELF);
            assertThat(baton.err()).contains("Windows", "WSL").hasLineCount(1);
            assertThat(store).doesNotExist();
        }
    }

    @Test
    void debug_showsWhere() throws Exception {
        try (BatonProcess baton = BatonProcess.start(directory, "demo", "--stock", "3", "--debug")) {
            assertThat(baton.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(baton.err()).contains("\tat dev.baton.cli.demo.DemoCommand");
        }
    }

    @Test
    void noPlaceForFiles_isToldInOneLine() throws Exception {
        Path nowhere = Files.createFile(directory.resolve("a-file"));
        List<String> options = List.of("-Djava.io.tmpdir=" + nowhere);
        try (BatonProcess baton = BatonProcess.start(directory, options, Map.of(), "demo")) {
            assertThat(baton.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
            // Newer JDKs print their own warning before it.
            assertThat(baton.err().lines().filter(line -> !line.startsWith("WARNING: java.io.tmpdir")))
                    .singleElement()
                    .asString()
                    .startsWith("baton: cannot create files in " + nowhere)
                    .contains("TMPDIR");
        }
    }
}
