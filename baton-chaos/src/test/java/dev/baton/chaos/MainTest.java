package dev.baton.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
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
                    --seed x                    | Invalid value for option '--seed'
                    """)
    void mistake_isNamed(String line, String words) {
        String[] args = (line + " --directory " + directory.resolve("run")).split(" ", -1);
        assertThat(run(args)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(words);
    }

    @Test
    void directory_thatExists_isNotOverwritten() {
        assertThat(run("--store", "sqlite", "--directory", directory.toString()))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(directory + " exists");
    }
}
