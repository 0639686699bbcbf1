package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code baton elect}: the command runs on one machine at a time. */
class ElectTest {
    /** Says that it was not alone if another one has not left its directory, which only one can make at a time. */
    private static final String LEADING =
            "mkdir %1$s/alone || touch %1$s/both; echo $$ >%1$s/pid$ME; echo $BATON_TOKEN >%1$s/token$ME;"
                    + " trap 'rmdir %1$s/alone; exit 0' TERM; while :; do sleep 0.05; done";

    @TempDir
    private Path directory;

    private Runs runs;

    @BeforeEach
    void open() {
        runs = Runs.onSqlite(directory);
    }

    @AfterEach
    void close() {
        runs.close();
    }

    private BatonProcess elect(String me, String script, String... options) {
        List<String> words = new ArrayList<>(List.of("elect", "--store", runs.store(), "--name", "x"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        return runs.start(Map.of("ME", me), words.toArray(String[]::new));
    }

    private BatonProcess leading(String me, String... options) {
        return elect(me, LEADING.formatted(directory), options);
    }

    private String show(String... options) throws InterruptedException {
        List<String> words = new ArrayList<>(List.of("elect", "--store", runs.store(), "--name", "x", "--show"));
        words.addAll(List.of(options));
        BatonProcess baton = runs.start(Map.of(), words.toArray(String[]::new));
        assertThat(baton.exitCode()).as(baton.err()).isZero();
        return baton.out();
    }

    @Test
    void leaderKilled_isFollowedByTheOther_neverBoth() throws Exception {
        // Long enough to let the command leave its directory, also on a machine that stands still for seconds.
        BatonProcess one = leading("1", "--lease", "10s");
        ProcessHandle first = runs.process("pid1");
        BatonProcess other = leading("2", "--lease", "10s");
        Runs.until("it stands", () -> show("--json").contains("\"candidates\":[\"sh on "));
        one.kill();
        ProcessHandle second = runs.process("pid2");
        assertThat(Runs.isGone(first)).isTrue();
        assertThat(second.isAlive()).isTrue();
        assertThat(runs.file("both")).doesNotExist();
        assertThat(Long.parseLong(runs.written("token2"))).isGreaterThan(Long.parseLong(runs.written("token1")));
        other.signal("TERM");
        assertThat(other.exitCode()).as(other.err()).isEqualTo(ExitCode.SIGNALLED + 15);
        assertThat(Runs.isGone(second)).isTrue();
    }

    @Test
    void signal_endsTheCommand_andTheNextLeadsAtOnce() throws Exception {
        // If the lock were not released, the next one would wait for longer than this test does.
        BatonProcess one = leading("1", "--lease", "5m");
        runs.process("pid1");
        leading("2");
        Runs.until("it stands", () -> show("--json").contains("\"candidates\":[\"sh on "));
        one.signal("TERM");
        assertThat(one.exitCode()).as(one.err()).isEqualTo(ExitCode.SIGNALLED + 15);
        runs.process("pid2");
        assertThat(runs.file("both")).doesNotExist();
        assertThat(one.err()).hasLineCount(1).contains("leading 'x', token ");
    }

    @Test
    void candidate_endsByASignal() throws Exception {
        leading("1");
        runs.process("pid1");
        BatonProcess other = leading("2");
        Runs.until("it stands", () -> show("--json").contains("\"candidates\":[\"sh on "));
        other.signal("TERM");
        assertThat(other.exitCode()).as(other.err()).isEqualTo(ExitCode.SIGNALLED + 15);
        assertThat(other.err()).isEmpty();
        assertThat(runs.file("pid2")).doesNotExist();
        assertThat(show("--json")).contains("\"candidates\":[]");
    }

    @Test
    void commandThatEnds_stepsDown_andStandsAgain() throws Exception {
        BatonProcess baton = elect("1", "echo ran; exit 3", "--cooldown", "300ms");
        Runs.until("twice", () -> baton.out().lines().count() >= 2);
        assertThat(baton.err()).contains("'sh' ended with status 3: stepping down for 300ms");
        baton.signal("TERM");
        assertThat(baton.exitCode()).isEqualTo(ExitCode.SIGNALLED + 15);
    }

    @Test
    void show_tellsLeader_noteAndCandidates() throws Exception {
        assertThat(show()).isEqualTo("leader      none\nnote        -\ncandidates  0\n");
        assertThat(show("--json")).isEqualTo("{\"name\":\"x\",\"leader\":null,\"candidates\":[]}\n");
        leading("1", "--note", "web-1:8080");
        runs.process("pid1");
        leading("2");
        Runs.until("it stands", () -> show("--json").contains("\"candidates\":[\"sh on "));
        assertThat(show())
                .matches("leader      sh on \\S+ pid \\d+ since \\S+Z \\(\\d+s\\)\nnote        web-1:8080\n"
                        + "candidates  1\n  1         sh on \\S+ pid \\d+ .*\n");
        assertThat(show("--json")).contains("\"note\":\"web-1:8080\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            elect true                          | --name      | 125
            elect --name x                      | name the command | 125
            elect --name x --show true          | --show runs no command | 125
            elect --name x --cooldown soon true | is not a time | 125
            elect --name x no-such-command      | 'no-such-command' | 127
            elect --name x --lease 0 true       | --lease | 125
            """)
    void wrongArguments_areToldInOneLine(String line, String said, int exitCode) throws Exception {
        BatonProcess baton = runs.start(Map.of("BATON_STORE", runs.store()), line.split(" "));
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(exitCode);
        assertThat(baton.err()).startsWith("baton: ").contains(said).hasLineCount(1);
        assertThat(baton.out()).isEmpty();
    }

    @Test
    void note_isNotTooLong() throws Exception {
        Path ran = runs.file("ran");
        BatonProcess baton = elect("1", "touch " + ran, "--note", "n".repeat(1_001));
        assertThat(baton.exitCode()).isEqualTo(ExitCode.RUN_ITSELF);
        assertThat(baton.err()).contains("--note has 1001 bytes").hasLineCount(1);
        assertThat(Files.exists(ran)).isFalse();
    }
}
