package dev.baton.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.chaos.soak.Trend.Point;
import dev.baton.chaos.soak.Trend.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The regression finds slopes that were planted, says how far to trust it, and calls only growth growth. */
class TrendTest {
    private static final double STEP = 10.0 / 3_600;
    private static final int HALF_AN_HOUR = 180;

    private final SplittableRandom random = new SplittableRandom(16);

    /** Measures every 10 s for half an hour. */
    private List<Point> points(String group, double level, double slope, double noise) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < HALF_AN_HOUR; i++) {
            points.add(new Point(group, i * STEP, level + slope * i * STEP + noise * random.nextDouble(-1, 1)));
        }
        return points;
    }

    @Test
    void line_isFoundExactly() {
        Trend trend = Trend.of(points("a", 100, 7, 0));
        assertThat(trend.slope()).isCloseTo(7, within(1e-9));
        assertThat(trend.error()).isCloseTo(0, within(1e-6));
        assertThat(trend.points()).isEqualTo(HALF_AN_HOUR);
    }

    @Test
    void interval_ofKnownPoints_isThatOfTheTextbook() {
        // By hand: slope 0.6, residual variance 0.8, so its error 0.2828, times Student's 3.182 for 3 degrees of
        // freedom.
        double[] values = {2, 4, 5, 4, 5};
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            points.add(new Point("a", i, values[i]));
        }
        Trend trend = Trend.of(points);
        assertThat(trend.slope()).isCloseTo(0.6, within(1e-9));
        assertThat(trend.error()).isCloseTo(0.9, within(0.02));
    }

    @Test
    void interval_holdsTheTruth_inAboutNineteenOfTwentyRuns() {
        int inside = 0;
        for (int run = 0; run < 1_000; run++) {
            Trend trend = Trend.of(points("a", 100, 3, 5));
            inside += trend.least() <= 3 && trend.most() >= 3 ? 1 : 0;
        }
        // It is a little wider than it must be, because it also heeds correlation by chance.
        assertThat(inside).isBetween(935, 985);
    }

    @Test
    void processes_haveLevelsOfTheirOwn_andShareASlope() {
        List<Point> points = new ArrayList<>(points("old", 100, 7, 0));
        // A later process at a lower level would make one line through all points fall.
        points("new", 0, 7, 0).forEach(each -> points.add(new Point("new", each.at() + 1, each.value())));
        assertThat(Trend.of(points).slope()).isCloseTo(7, within(1e-9));
    }

    @Test
    void measurementsThatResembleTheirNeighbours_tellLess() {
        List<Point> walk = new ArrayList<>();
        double value = 0;
        for (int i = 0; i < HALF_AN_HOUR; i++) {
            value = 0.9 * value + random.nextDouble(-1, 1);
            walk.add(new Point("a", i * STEP, value));
        }
        List<Point> shuffled = new ArrayList<>();
        for (int i = 0; i < HALF_AN_HOUR; i++) {
            // The same values in an order in which neighbours have nothing to do with each other.
            shuffled.add(
                    new Point("a", i * STEP, walk.get(i * 67 % HALF_AN_HOUR).value()));
        }
        assertThat(Trend.of(walk).error()).isGreaterThan(2 * Trend.of(shuffled).error());
    }

    @Test
    void plantedSlope_grows() {
        assertThat(Trend.of(points("a", 100, 12, 5)).verdict(6)).isEqualTo(Verdict.GROWS);
    }

    @Test
    void noSlope_isFlat_alsoAmongNoise() {
        assertThat(Trend.of(points("a", 100, 0, 5)).verdict(6)).isEqualTo(Verdict.FLAT);
        assertThat(Trend.of(points("a", 100, -50, 5)).verdict(6)).isEqualTo(Verdict.FLAT);
    }

    @Test
    void noiseAsLargeAsTheLimit_isUnclear_andNoGrowth() {
        assertThat(Trend.of(points("a", 100, 0, 500)).verdict(6)).isEqualTo(Verdict.UNCLEAR);
    }

    @Test
    void twoPoints_areUnclear() {
        Trend trend = Trend.of(List.of(new Point("a", 0, 1), new Point("a", 1, 100)));
        assertThat(trend.verdict(6)).isEqualTo(Verdict.UNCLEAR);
        assertThat(Trend.of(List.of()).verdict(6)).isEqualTo(Verdict.UNCLEAR);
    }
}
