package dev.baton.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The results of a run.
 *
 * @param rows the rows that were requested
 * @param trials the trials in their order, with the samples of each contestant that did not fail, round by round
 */
record Results(List<Row> rows, Map<Trial, Map<Contestant, List<Sample>>> trials) {
    /** Returns the estimate of a row; {@link Estimate#NONE} if a contestant of the row failed. */
    Estimate estimate(Row row) {
        if (!isMeasured(row)) {
            return Estimate.NONE;
        }
        List<Double> values = values(row.trial(), row.contestant(), row.metric());
        return row.peer()
                .map(peer -> Estimate.ofRatios(values, values(row.trial(), peer, row.metric())))
                .orElseGet(() -> Estimate.ofValues(values));
    }

    /** Returns whether all contestants of all rows were measured. */
    boolean areComplete() {
        return rows.stream().allMatch(this::isMeasured);
    }

    private boolean isMeasured(Row row) {
        return samples(row.trial()).keySet().containsAll(row.contestants());
    }

    double median(Trial trial, Contestant contestant, Metric metric) {
        return Estimate.median(values(trial, contestant, metric));
    }

    /** Returns the waits for the lock in all rounds together. */
    Histogram waits(Trial trial, Contestant contestant) {
        return Waits.sum(samples(trial).getOrDefault(contestant, List.of()).stream()
                .map(Sample::waits)
                .toList());
    }

    /** Returns the contestants that a row needs, including those that failed, and all that were measured. */
    List<Contestant> wanted(Trial trial) {
        return Stream.concat(
                        rows.stream()
                                .filter(row -> row.trial().equals(trial))
                                .flatMap(row -> row.contestants().stream()),
                        contestants(trial).stream())
                .distinct()
                .toList();
    }

    List<Contestant> contestants(Trial trial) {
        return List.copyOf(samples(trial).keySet());
    }

    private List<Double> values(Trial trial, Contestant contestant, Metric metric) {
        List<Sample> samples = samples(trial).get(contestant);
        if (samples == null) {
            throw new IllegalArgumentException(contestant.name() + " took no part in " + trial.title());
        }
        return samples.stream().map(metric::of).toList();
    }

    private Map<Contestant, List<Sample>> samples(Trial trial) {
        Map<Contestant, List<Sample>> samples = trials.get(trial);
        if (samples == null) {
            throw new IllegalArgumentException(trial.title() + " was not measured");
        }
        return samples;
    }
}
