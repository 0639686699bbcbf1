package dev.baton.bench;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One comparison and its target.
 *
 * @param id the code for {@code --only}; dots separate its parts
 * @param trial the trial that measures it
 * @param metric the figure to compare
 * @param contestant the contestant of interest
 * @param peer the contestant to compare with; empty if the figure itself has the target
 * @param target the value to reach
 */
record Row(String id, Trial trial, Metric metric, Contestant contestant, Optional<Contestant> peer, Target target) {
    static Row ratio(String id, Trial trial, Metric metric, Contestant contestant, Contestant peer, Target target) {
        return new Row(id, trial, metric, contestant, Optional.of(peer), target);
    }

    /** Creates a comparison without a target. */
    static Row beside(String id, Trial trial, Metric metric, Contestant contestant, Contestant peer) {
        return ratio(id, trial, metric, contestant, peer, Target.NONE);
    }

    static Row value(String id, Trial trial, Metric metric, Contestant contestant, Target target) {
        return new Row(id, trial, metric, contestant, Optional.empty(), target);
    }

    /** Returns whether a name selects this row: its code, or the first parts of its code. */
    boolean isChosenBy(String name) {
        return id.equals(name) || id.startsWith(name + ".");
    }

    List<Contestant> contestants() {
        return Stream.concat(Stream.of(contestant), peer.stream()).toList();
    }

    /** Returns the measurement and the peer in plain words. */
    String words() {
        String whose = contestant.words().equals("Baton") ? "" : " of " + contestant.words();
        String beside = peer.map(other -> " against " + other.words()).orElse("");
        return trial.words() + ": " + metric.words() + whose + beside;
    }
}
