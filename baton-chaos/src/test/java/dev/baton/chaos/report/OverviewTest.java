package dev.baton.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OverviewTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void grantsAreCountedInTheirSecond() {
        Runs runs = new Runs();
        runs.hold(0, 0, 1);
        runs.hold(0, 999, 5_000);
        runs.hold(0, 1_000, 5_000);
        runs.hold(0, 2_500, 5_000);
        assertThat(Overview.counted(runs.holds, Runs.BEGAN, 3 * SECOND, SECOND)).containsExactly(2, 1, 1, 0);
    }

    @Test
    void grantsOutsideTheRunAreNotCounted() {
        Runs runs = new Runs();
        runs.hold(-20, -10, 1);
        runs.hold(0, 3_999, 5_000);
        assertThat(Overview.counted(runs.holds, Runs.BEGAN, 2 * SECOND, SECOND)).containsExactly(0, 0, 0);
    }

    @Test
    void aLongRunHasLongerSteps() {
        assertThat(Overview.binNanos(100 * SECOND)).isEqualTo(SECOND);
        assertThat(Overview.binNanos(20 * SECOND)).isEqualTo(SECOND / 4);
        assertThat(Overview.binNanos(86_400 * SECOND)).isEqualTo(512 * SECOND);
    }
}
