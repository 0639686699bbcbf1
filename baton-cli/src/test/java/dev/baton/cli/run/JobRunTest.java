package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code baton job run}: each fire time once in all processes, and no command without its lease. */
class JobRunTest {
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

    private BatonProcess job(String script, String... options) {
        List<String> words = new ArrayList<>(List.of("job", "run", "--store", runs.store(), "--name", "x"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        return runs.start(Map.of(), words.toArray(String[]::new));
    }

    private List<String> lines(String file) throws IOException {
        Path path = runs.file(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    private List<Job.RecordedRun> history() {
        try (Baton look = runs.client()) {
            return look.job("x").history();
        }
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    @Test
    void fireTime_isRunOnce_byOneOfTwoProcesses() throws Exception {
        String script = "[ -e " + runs.file("enough") + " ] || echo $BATON_FIRE_TIME $BATON_ATTEMPT $BATON_NAME >>"
                + runs.file("ran");
        // A machine that stands still for seconds would leave out fire times, if not all of them were caught up.
        BatonProcess one = job(script, "--every", "1s", "--catch-up", "all");
        BatonProcess other = job(script, "--every", "1s", "--catch-up", "all");
        one.awaitSaid("next run at");
        other.awaitSaid("next run at");
        Runs.until("some runs", () -> lines("ran").size() >= 6);
        // A signal during a run leaves that run open, so that another attempt may follow. None of them writes any more.
        Files.createFile(runs.file("enough"));
        Runs.until("the last one that writes is over", () -> history().get(0).state() != Job.State.RUNNING);
        one.signal("TERM");
        other.signal("TERM");
        assertThat(one.exitCode()).as(one.err()).isEqualTo(ExitCode.SIGNALLED + 15);
        assertThat(other.exitCode()).as(other.err()).isEqualTo(ExitCode.SIGNALLED + 15);
        List<String> ran = lines("ran");
        assertThat(new HashSet<>(ran)).as("%s", ran).hasSameSizeAs(ran);
        assertThat(ran).isSorted().allMatch(line -> line.endsWith("Z 1 x"));
        Instant first = Instant.parse(ran.get(0).split(" ")[0]);
        Instant last = Instant.parse(ran.get(ran.size() - 1).split(" ")[0]);
        assertThat(ChronoUnit.SECONDS.between(first, last)).as("%s", ran).isEqualTo(ran.size() - 1);
        assertThat(one.err()).hasLineCount(1).contains("job 'x', every PT1S: next run at 2");
        List<Job.RecordedRun> history = history();
        assertThat(history.get(0).state()).isIn(Job.State.SUCCEEDED, Job.State.RUNNING);
        assertThat(history.subList(1, history.size()))
                .hasSizeGreaterThanOrEqualTo(5)
                .allMatch(run -> run.state() == Job.State.SUCCEEDED);
    }

    @Test
    void runnerKilled_leavesItsFireTimeToTheOther_asAnotherAttempt() throws Exception {
        String script = "echo $BATON_FIRE_TIME $BATON_ATTEMPT $BATON_TOKEN >>" + runs.file("ran") + "; echo $$ >"
                + runs.file("pid") + "; [ $BATON_ATTEMPT = 2 ] || exec sleep 60";
        BatonProcess one = job(script, "--every", "1s", "--catch-up", "all", "--lease", "10s");
        ProcessHandle command = runs.process("pid");
        BatonProcess other = job(script, "--every", "1s", "--catch-up", "all", "--lease", "10s");
        other.awaitSaid("next run at");
        one.kill();
        Runs.until("the other runs it", () -> lines("ran").size() >= 2);
        assertThat(Runs.isGone(command)).isTrue();
        List<String> first = List.of(lines("ran").get(0).split(" "));
        List<String> second = List.of(lines("ran").get(1).split(" "));
        assertThat(first.get(1)).isEqualTo("1");
        assertThat(second.subList(0, 2)).isEqualTo(List.of(first.get(0), "2"));
        assertThat(Long.parseLong(second.get(2))).isGreaterThan(Long.parseLong(first.get(2)));
    }

    @Test
    void failure_isSaid_andTheScheduleGoesOn() throws Exception {
        BatonProcess baton = job("echo ran; exit 7", "--cron", "* * * * * *", "--zone", "UTC");
        Runs.until("two runs", () -> baton.err().split("failed: ").length > 2);
        baton.signal("TERM");
        assertThat(baton.exitCode()).isEqualTo(ExitCode.SIGNALLED + 15);
        assertThat(baton.err().lines().toList().get(0))
                .matches("baton: job 'x', cron \"\\* \\* \\* \\* \\* \\*\" in UTC: next run at \\S+Z\\[UTC\\]");
        assertThat(baton.err().lines().toList().get(1))
                .matches("baton: job 'x' failed: fire time \\S+Z, attempt 1: 'sh' ended with status 7");
        assertThat(history().get(history().size() - 1).state()).isEqualTo(Job.State.FAILED);
    }

    /** A run that a signal cuts short is not over: another machine runs it again. */
    @Test
    void signal_endsTheCommandFirst_andLeavesTheRunOpen() throws Exception {
        BatonProcess baton = job("echo $$ >" + runs.file("pid") + "; exec sleep 60", "--every", "1s");
        ProcessHandle command = runs.process("pid");
        baton.signal("TERM");
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(ExitCode.SIGNALLED + 15);
        assertThat(Runs.isGone(command)).isTrue();
        assertThat(history().get(0).state()).isEqualTo(Job.State.RUNNING);
        BatonProcess next = job("echo $BATON_ATTEMPT; sleep 60", "--every", "1s", "--catch-up", "all");
        next.awaitSaid("2\n");
    }

    @Test
    void signal_leavesTimeToACommandThatEndsItsWork() throws Exception {
        BatonProcess baton = job(
                "trap 'sleep 1; echo clean; exit 0' TERM; echo $$ >" + runs.file("pid")
                        + "; while :; do sleep 0.1; done",
                "--every",
                "1s");
        runs.process("pid");
        baton.signal("TERM");
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(ExitCode.SIGNALLED + 15);
        assertThat(baton.out()).isEqualTo("clean\n");
        assertThat(history()).singleElement().matches(run -> run.state() == Job.State.SUCCEEDED);
    }

    @Test
    void lockTakenByForce_endsTheCommand() throws Exception {
        BatonProcess baton = job(
                "trap '' TERM; echo $$ >" + runs.file("pid") + "; while :; do sleep 0.1; done",
                "--every",
                "1h",
                "--lease",
                "2s",
                "--kill-after",
                "300ms",
                "--fire-time",
                now());
        hasSaid(baton, ExitCode.RUN_ITSELF, "one of --cron");
        baton = job(
                "trap '' TERM; echo $$ >" + runs.file("pid") + "; while :; do sleep 0.1; done",
                "--lease",
                "10s",
                "--kill-after",
                "300ms",
                "--fire-time",
                now());
        ProcessHandle command = runs.process("pid");
        try (Baton admin = runs.client()) {
            assertThat(admin.admin().forceRelease("baton-job:x")).isPresent();
        }
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(ExitCode.RUN_LOST);
        assertThat(baton.err())
                .contains("the lock was taken away by force; ending the command", "another machine may run it");
        assertThat(Runs.isGone(command)).isTrue();
    }

    @Test
    void oneFireTime_endsAsTheCommand_andOnlyOnce() throws Exception {
        String time = now();
        BatonProcess failed = job("exit 4", "--fire-time", time);
        assertThat(failed.exitCode()).as(failed.err()).isEqualTo(4);
        assertThat(failed.err())
                .isEqualTo("baton: job 'x', fire time " + time + ": attempt 1 failed: 'sh' ended with status 4\n");
        hasSaid(job("echo again", "--fire-time", time), ExitCode.RUN_OVER, "it is over, by sh on ");
        String later = Instant.parse(time).plusSeconds(1).toString();
        BatonProcess ran = job("echo $BATON_FIRE_TIME", "--fire-time", later);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out() + ran.err()).isEqualTo(later + "\n");
    }

    @Test
    void oneFireTime_elsewhere_isToldAsBusy() throws Exception {
        String time = now();
        BatonProcess one = job("echo $$ >" + runs.file("pid") + "; exec sleep 60", "--fire-time", time);
        ProcessHandle command = runs.process("pid");
        hasSaid(job("echo too", "--fire-time", time), ExitCode.RUN_BUSY, "the job runs elsewhere, by sh on ");
        command.destroyForcibly();
        assertThat(one.exitCode()).isEqualTo(ExitCode.SIGNALLED + 9);
    }

    @Test
    void atMost_endsTheCommand_whichIsAFailure() throws Exception {
        // Long enough for this test to see the command before it is ended.
        BatonProcess baton =
                job("echo $$ >" + runs.file("pid") + "; exec sleep 60", "--fire-time", now(), "--at-most", "5s");
        ProcessHandle command = runs.process("pid");
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(ExitCode.RUN_LOST);
        assertThat(Runs.isGone(command)).isTrue();
        assertThat(baton.err())
                .contains(
                        "the run takes longer than --at-most; ending the command",
                        "took longer than --at-most, which is PT5S");
        assertThat(history().get(0).state()).isEqualTo(Job.State.FAILED);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --every 5s                                   | CMD
            -- true                                      | one of --cron, --every and --fire-time
            --every 5s --fire-time 2026-11-27T02:00:00Z -- true | one of --cron, --every and --fire-time
            --every 5s --zone UTC -- true                | --zone is for --cron
            --cron 0_0_30_2_* -- true                    | never fires
            --cron 0_24_*_*_* -- true                    | --cron: the cron expression "0 24 * * *" is wrong
            --cron 0_3_*_*_* --zone Mars/Base -- true    | no time zone 'Mars/Base': name one such as Europe/Berlin
            --every 10ms -- true                         | --every: the period must be at least one second
            --every soon -- true                         | is not a time
            --every 5s --at-least 10s -- true            | fire times only PT5S apart
            --every 5s --at-least 10s --at-most 3s -- true | --at-least must not be longer than --at-most
            --every 5s --catch-up some -- true           | --catch-up
            --every 5s --kill-after 0 -- true            | --kill-after must be positive
            --fire-time soon -- true                     | is not an instant
            --fire-time 2126-11-27T02:00:00Z -- true     | more than a minute ahead
            """)
    void wrongArguments_areToldInOneLine(String line, String said) throws Exception {
        List<String> words = new ArrayList<>(List.of("job", "run", "--name", "x"));
        for (String word : line.split(" ")) {
            words.add(word.contains("*") ? word.replace('_', ' ') : word);
        }
        BatonProcess baton = runs.start(Map.of("BATON_STORE", runs.store()), words.toArray(String[]::new));
        hasSaid(baton, ExitCode.RUN_ITSELF, said);
        assertThat(baton.out()).isEmpty();
    }

    @Test
    void commandThatIsNotThere_isToldAtTheStart() throws Exception {
        hasSaid(
                runs.start(
                        Map.of("BATON_STORE", runs.store()),
                        "job",
                        "run",
                        "--name",
                        "x",
                        "--every",
                        "1h",
                        "no-such-command"),
                ExitCode.RUN_NOT_FOUND,
                "'no-such-command'");
        hasSaid(
                runs.start(
                        Map.of("BATON_STORE", "redis://127.0.0.1:1"),
                        "job",
                        "run",
                        "--name",
                        "x",
                        "--every",
                        "1h",
                        "true"),
                ExitCode.RUN_STORE,
                "127.0.0.1:1");
        hasSaid(runs.start(Map.of(), "job"), ExitCode.USAGE, "subcommand");
    }

    private static void hasSaid(BatonProcess baton, int exitCode, String said) throws InterruptedException {
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(exitCode);
        assertThat(baton.err()).startsWith("baton: ").contains(said).hasLineCount(1);
    }
}
