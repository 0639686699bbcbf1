package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.bench.Target.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimateTest {
    @Test
    void values_giveTheirMean_andStudentsInterval() {
        Estimate estimate = Estimate.ofValues(List.of(1.0, 2.0, 3.0));
        double half = 2.920 / Math.sqrt(3);
        assertThat(estimate.value()).isEqualTo(2);
        assertThat(estimate.low()).isCloseTo(2 - half, within(1e-9));
        assertThat(estimate.high()).isCloseTo(2 + half, within(1e-9));
    }

    @Test
    void ratios_areTakenRoundByRound() {
        // Both were slower in the second round, which does not change the ratio.
        Estimate estimate = Estimate.ofRatios(List.of(30.0, 3.0), List.of(10.0, 1.0));
        assertThat(estimate.low()).isCloseTo(3, within(1e-9));
        assertThat(estimate.high()).isCloseTo(3, within(1e-9));
    }

    @Test
    void ratios_halfAndDouble_areOneInTheMean() {
        assertThat(Estimate.ofRatios(List.of(1.0, 2.0), List.of(2.0, 1.0)).value())
                .isCloseTo(1, within(1e-9));
    }

    @Test
    void oneRound_saysNothingOfCertainty() {
        Estimate estimate = Estimate.ofValues(List.of(7.0));
        assertThat(estimate.value()).isEqualTo(7);
        assertThat(Target.atLeast(1).judge(estimate)).isEqualTo(Verdict.UNCLEAR);
    }

    @Test
    void median_ofEvenCount_isBetweenTheMiddleTwo() {
        assertThat(Estimate.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "AT_LEAST, 1.0, MET",
        "AT_LEAST, 2.0, MET",
        "AT_LEAST, 3.0, UNCLEAR",
        "AT_LEAST, 5.0, MISSED",
        "AT_MOST,  1.0, MISSED",
        "AT_MOST,  3.0, UNCLEAR",
        "AT_MOST,  4.0, MET"
    })
    void target_isMet_whenTheWholeIntervalIs(Target.Bound bound, double target, Verdict verdict) {
        assertThat(new Target(bound, target).judge(new Estimate(3, 2, 4))).isEqualTo(verdict);
    }

    @Test
    void target_withoutAFigure_isNotMet() {
        assertThat(Target.atMost(1).judge(Estimate.NONE)).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void target_thatAsksForNothing_isNeitherMetNorMissed() {
        assertThat(Target.NONE.judge(new Estimate(3, 2, 4))).isEqualTo(Verdict.NONE);
        assertThat(Target.NONE.judge(Estimate.NONE)).isEqualTo(Verdict.UNKNOWN);
    }
}
