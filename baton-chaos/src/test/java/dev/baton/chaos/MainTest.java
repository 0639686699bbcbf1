package dev.baton.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.text.Columns;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Mistakes on the command line get a sentence and exit code 2. */
class MainTest {
    @TempDir
    private Path directory;

    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.commandLine().setErr(new PrintWriter(err)).execute(args);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --store redsi               | no store is called redsi: there are redis,
                    --store sqlite --faults wire | no fault is called wire here: there are client-kill
                    --minutes 0                 | must be positive
                    --store memcached --kinds lock,semaphore,read-write | only locks: run it without --kinds semaphore,read-write
                    --store memcached://127.0.0.1:1 --kinds semaphore | this store has only locks
                    --kinds lock,reed-write     | no kind of name is called reed-write: there are lock,read-write,semaphore,all-of,note,term,job
                    --kinds lock,all-of --names 3 | --names must be at least 4 for lock,all-of: 2 for each kind
                    --subject zoo:no-deadline --kinds semaphore | zoo:no-deadline has only names of lock
                    --seed x                    | Invalid value for option '--seed'
                    --hunt no-dedline           | no broken lock is called no-dedline; did you mean no-deadline?
                    --hunt release-later        | did you mean release-throws or release-of-any-owner or release-in-two
                    --hunt all,some-owner       | did you mean owner-is-
                    --hunt x                    | no broken lock is called x: there are check-then-set, owner-is-client
                    --subject zoo:no-dedline    | no lock is called zoo:no-dedline; did you mean zoo:no-deadline or
                    """)
    void mistake_isNamed(String line, String words) {
        String[] args = (line + " --directory " + directory.resolve("run")).split(" ", -1);
        assertThat(run(args)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(words);
    }

    @Test
    void list_fitsInto80Columns() {
        String names = "store: " + String.join(", ", Collections.nCopies(40, "redis-durable"));
        assertThat(Columns.paragraph(names).lines())
                .hasSizeGreaterThan(7)
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.length() > 66);
        assertThat(Columns.paragraph(names).replaceAll("\\s+", " ").strip()).isEqualTo(names);
    }

    @Test
    void directory_thatExists_isNotOverwritten() {
        assertThat(run("--store", "sqlite", "--directory", directory.toString()))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(directory + " exists");
    }
}
