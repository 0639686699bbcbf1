package dev.baton.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chaos.history.Hold;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of several runs are added up. */
class SumTest {
    @TempDir
    private Path directory;

    /** Two runs: the next grant takes 10, 30 ms in the first and 20 ms in the second, which breaks a promise. */
    @BeforeEach
    void twoRuns() throws Exception {
        Runs first = new Runs();
        first.fault("wire-cut", 0, 100);
        first.fault("wire-cut", 200, 300);
        first.hold(90, 110, 111);
        first.hold(105, 330, 331);
        first.hold(310, 332, 333);
        first.finding("order", "lock-0", 1, 2, true);
        ReportFiles.write(first.report(Files.createDirectory(directory.resolve("a")), Duration.ofSeconds(60)));
        Runs second = new Runs();
        second.fault("wire-cut", 0, 100);
        second.hold(1, "lock-1", 10, 50, 90, Hold.End.LOST);
        second.hold(90, 120, 121);
        second.hold(91, 122, 123);
        second.finding("belief", "lock-0", 1, 2, false);
        ReportFiles.write(second.report(Files.createDirectories(directory.resolve("b/c")), Duration.ofSeconds(61)));
    }

    @Test
    void eachRunHasARow() throws Exception {
        assertThat(Sum.of(List.of(directory)).toMarkdown().lines())
                .contains(
                        "| `redis` | 42 | 60 | 3 | 2 | 1 | 2 | 0 | 0 | 0 | 1 |",
                        "| `redis` | 42 | 61 | 3 | 1 | 1 | 1 | 1 | 0 | 1 | 0 |");
    }

    @Test
    void holdsFindingsAndFaultsAreAddedUp() throws Exception {
        assertThat(Sum.of(List.of(directory)).toMarkdown().lines())
                .contains("| `redis` | 2 | 2 | 6 | 2 | 33 % | 3 | 1 | - | - | 1 (1 in 6) |")
                .contains("| order | kept; forgotten 1 time |", "| belief | **broken 1 time** |", "| loss | kept |");
    }

    @Test
    void theMedianIsThatOfAllFaults_notOfMedians() throws Exception {
        assertThat(Sum.of(List.of(directory)).toMarkdown().lines())
                .contains("| `redis` | `wire-cut` | 3 | 3 | 20 ms | 30 ms | 225 ms | 2 | 1 |")
                .contains("| `wire-cut` | 20 ms / 30 ms |");
    }

    @Test
    void directoriesThatAreNamedTwice_countOnce() throws Exception {
        assertThat(Sum.of(List.of(directory, directory.resolve("b"))).pieces()).hasSize(2);
    }

    @Test
    void noViolation_hasTheBoundOfTheRuleOfThree() {
        assertThat(Sum.bound(0, 3_000_000)).isEqualTo("1 in 1,000,000");
        assertThat(Sum.bound(0, 2)).isEqualTo("-");
        assertThat(Sum.bound(1, 3_000_000)).isEqualTo("-");
    }

    @Test
    void directoryWithoutReports_isNamed() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThatThrownBy(() -> Sum.of(List.of(empty)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(empty + " has no report.json");
    }
}
