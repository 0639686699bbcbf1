package dev.baton.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.bench.jvm.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of jobs: its rows are those of the results, and one of them is played. */
@Timeout(300)
class JobTableTest {
    private static final Path RESULTS = Path.of("RESULTS.md");

    /** On a machine that stands still for a lease a second node runs it. */
    private static final String SKIPPED =
            "\\d runs? by node\\d; .*: run\\(\\): (ALREADY_DONE|RUNNING_ELSEWHERE) by node\\d; .*history\\(\\): .* by node\\d";

    /** Returns the cells of the lines of a table that begin with the code of a scenario. */
    private static List<List<String>> rows(String text) {
        return text.lines()
                .filter(line -> line.matches("\\| J\\d.*"))
                .map(line -> Arrays.stream(line.split("(?<!\\\\)\\|", -1))
                        .map(String::strip)
                        .filter(cell -> !cell.isEmpty())
                        .toList())
                .toList();
    }

    @Test
    void scenarios_areTheRowsOfTheResults_eachWithACellForEachProduct() throws Exception {
        List<List<String>> rows = rows(Files.readString(RESULTS));
        assertThat(rows)
                .as("the rows of jobs in RESULTS.md: run ./baton bench --jobs, and put its table there")
                .extracting(row -> row.get(0))
                .containsExactlyElementsOf(JobTable.chosen(List.of(), List.of()).titles());
        assertThat(rows).allMatch(row -> row.size() == 1 + Product.values().length);
    }

    @Test
    void scenarioOfBaton_isPlayed_andItsCellSaysWhatWasCounted() throws Exception {
        List<String> progress = new ArrayList<>();
        JobTable.Counted counted =
                JobTable.chosen(List.of("j8"), List.of("nothing else")).count(progress::add, Class::getSimpleName);
        assertThat(counted.isComplete()).as("%s", progress).isTrue();
        assertThat(rows(counted.markdown())).hasSize(1);
        assertThat(rows(counted.markdown()).get(0).get(1)).matches(SKIPPED);
        assertThat(counted.markdown())
                .startsWith("| scenario | Baton |\n|---|---|\n")
                .contains("- Baton: Baton; lease 6 s", "- PostgreSQL ");
    }

    @Test
    void scenario_thatDoesNotExist_isRefused_withThoseThatDo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobTable.chosen(List.of("J9"), List.of()))
                .withMessageContaining("J1, J2A, J2B");
        assertThat(JobTable.chosen(List.of("J2"), List.of()).titles()).hasSize(2);
    }

    @Test
    void times_areTheSame_inWordsOfCron() {
        Times every = Times.every(Duration.ofSeconds(2));
        Instant time = Instant.parse("2026-11-28T04:05:06Z");
        assertThat(every.cron()).isEqualTo("0/2 * * * * *");
        assertThat(every.next(time)).contains(time.plusSeconds(2));
        assertThat(every.next(time.minusNanos(1))).contains(time);
        assertThat(every.has(time)).isTrue();
        assertThat(every.has(time.plusMillis(1))).isFalse();
        assertThat(every.between(time, time.plusSeconds(5))).isEqualTo(2);
        Times daily = Times.daily(time);
        assertThat(daily.cron()).isEqualTo("6 5 4 * * *");
        assertThat(daily.next(time.minusNanos(1))).contains(time);
        assertThat(daily.next(time)).contains(time.plusSeconds(86_400));
    }

    @Test
    void job_isTheSame_afterItsWayToAnotherJvm() throws Exception {
        JobSpec job = JobSpec.of("mail", Times.daily(Instant.parse("2026-11-28T04:05:06Z")))
                .working(Duration.ofSeconds(3))
                .failingFirst()
                .with("ONE")
                .kept(Duration.ofSeconds(1), Duration.ofMinutes(2));
        assertThat(JobSpec.from(Message.parse(job.toMessage().line()))).isEqualTo(job);
    }
}
