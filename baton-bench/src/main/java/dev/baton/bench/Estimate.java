package dev.baton.bench;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * The mean of all rounds, with the interval that contains the true value in nine of ten runs.
 *
 * @param value the mean of all rounds
 * @param low the lower end; NaN after a single round
 * @param high the upper end; NaN after a single round
 */
record Estimate(double value, double low, double high) {
    /** The 95th percentile of Student's distribution, for 1, 2, … degrees of freedom. */
    private static final double[] STUDENT = {
        6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753, 1.746,
        1.740, 1.734, 1.729, 1.725
    };
    /** The same for more degrees of freedom. */
    private static final double NORMAL = 1.645;

    static final Estimate NONE = new Estimate(Double.NaN, Double.NaN, Double.NaN);

    static Estimate ofValues(List<Double> values) {
        return of(values, DoubleUnaryOperator.identity(), DoubleUnaryOperator.identity());
    }

    /** Compares round by round, because load affects both; and by logarithms, because half is as far as double. */
    static Estimate ofRatios(List<Double> values, List<Double> peers) {
        List<Double> ratios = IntStream.range(0, values.size())
                .mapToObj(round -> values.get(round) / peers.get(round))
                .toList();
        return of(ratios, Math::log, Math::exp);
    }

    private static Estimate of(List<Double> values, DoubleUnaryOperator scale, DoubleUnaryOperator back) {
        double[] scaled =
                values.stream().mapToDouble(Double::doubleValue).map(scale).toArray();
        int count = scaled.length;
        double mean = IntStream.range(0, count).mapToDouble(i -> scaled[i]).sum() / count;
        double squares = IntStream.range(0, count)
                .mapToDouble(i -> (scaled[i] - mean) * (scaled[i] - mean))
                .sum();
        double spread = count < 2 ? Double.NaN : student(count - 1) * Math.sqrt(squares / (count - 1) / count);
        return new Estimate(
                back.applyAsDouble(mean), back.applyAsDouble(mean - spread), back.applyAsDouble(mean + spread));
    }

    private static double student(int degrees) {
        return degrees <= STUDENT.length ? STUDENT[degrees - 1] : NORMAL;
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
