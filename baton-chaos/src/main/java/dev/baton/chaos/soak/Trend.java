package dev.baton.chaos.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A straight line through measurements: by how much a value grows in an hour, or with each thousand clients. Several
 * processes share one slope, but each has a level of its own.
 *
 * @param slope the growth
 * @param error half of the width of the interval in which the true slope lies with 95 %
 * @param points how many measurements there are
 * @param level their mean
 */
record Trend(double slope, double error, int points, double level) {
    /** Of a normal distribution: 95 % lie within as many standard deviations. */
    private static final double Z = 1.959964;

    /**
     * A measurement.
     *
     * @param group the process that was measured
     * @param at hours, or thousands of clients
     * @param value what was measured
     */
    record Point(String group, double at, double value) {}

    /** A group's points, seen from its centre. */
    private record Centred(double at, double value) {}

    /** What is known of a trend. */
    enum Verdict {
        /** It grows by less than the limit, with 95 %. */
        FLAT,
        /** It grows by more than the limit, and for certain by more than nothing. */
        GROWS,
        /** There are too few measurements, or they scatter too much. */
        UNCLEAR
    }

    static Trend of(List<Point> points) {
        Map<String, List<Point>> groups = points.stream().collect(Collectors.groupingBy(Point::group));
        List<List<Centred>> centred =
                groups.values().stream().map(Trend::centred).toList();
        double xx = 0;
        double xy = 0;
        for (List<Centred> group : centred) {
            for (Centred each : group) {
                xx += each.at() * each.at();
                xy += each.at() * each.value();
            }
        }
        double level = points.stream().mapToDouble(Point::value).average().orElse(0);
        int freedom = points.size() - groups.size() - 1;
        if (freedom < 1 || xx == 0) {
            return new Trend(0, Double.POSITIVE_INFINITY, points.size(), level);
        }
        double slope = xy / xx;
        return new Trend(slope, error(residuals(centred, slope), freedom, xx), points.size(), level);
    }

    private static List<Centred> centred(List<Point> group) {
        double at = group.stream().mapToDouble(Point::at).average().orElse(0);
        double value = group.stream().mapToDouble(Point::value).average().orElse(0);
        return group.stream()
                .map(each -> new Centred(each.at() - at, each.value() - value))
                .toList();
    }

    private static List<double[]> residuals(List<List<Centred>> groups, double slope) {
        List<double[]> residuals = new ArrayList<>();
        for (List<Centred> group : groups) {
            residuals.add(group.stream()
                    .mapToDouble(each -> each.value() - slope * each.at())
                    .toArray());
        }
        return residuals;
    }

    /**
     * Returns half of the width of the interval. Measurements that follow each other resemble each other, so they tell
     * less than as many that do not: the interval is wider by their correlation.
     */
    private static double error(List<double[]> residuals, int freedom, double xx) {
        double squares = 0;
        double products = 0;
        for (double[] group : residuals) {
            for (int i = 0; i < group.length; i++) {
                squares += group[i] * group[i];
                products += i == 0 ? 0 : group[i] * group[i - 1];
            }
        }
        double correlation = squares == 0 ? 0 : Math.max(0, Math.min(0.99, products / squares));
        double wider = Math.sqrt((1 + correlation) / (1 - correlation));
        return student(freedom) * Math.sqrt(squares / freedom / xx) * wider;
    }

    /** Returns the factor of Student's distribution, by the expansion of Cornish and Fisher. */
    private static double student(int freedom) {
        double cubed = Z * Z * Z;
        return Z
                + (cubed + Z) / (4.0 * freedom)
                + (5 * cubed * Z * Z + 16 * cubed + 3 * Z) / (96.0 * freedom * freedom)
                + (3 * cubed * cubed * Z + 19 * cubed * Z * Z + 17 * cubed - 15 * Z)
                        / (384.0 * freedom * freedom * freedom);
    }

    double least() {
        return slope - error;
    }

    double most() {
        return slope + error;
    }

    Verdict verdict(double limit) {
        if (most() <= limit) {
            return Verdict.FLAT;
        }
        return slope > limit && least() > 0 ? Verdict.GROWS : Verdict.UNCLEAR;
    }
}
