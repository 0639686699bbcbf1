package dev.baton.bench;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One comparison, and what is hoped for.
 *
 * @param id to choose it by; parts are separated by dots
 * @param trial in which it is measured
 * @param metric what is compared
 * @param contestant who is measured
 * @param peer whom the target is a multiple of; empty if the target is the figure itself
 * @param target what is hoped for
 */
record Row(String id, Trial trial, Metric metric, Contestant contestant, Optional<Contestant> peer, Target target) {
    static Row ratio(String id, Trial trial, Metric metric, Contestant contestant, Contestant peer, Target target) {
        return new Row(id, trial, metric, contestant, Optional.of(peer), target);
    }

    /** A comparison of which nothing is asked. */
    static Row beside(String id, Trial trial, Metric metric, Contestant contestant, Contestant peer) {
        return ratio(id, trial, metric, contestant, peer, Target.NONE);
    }

    static Row value(String id, Trial trial, Metric metric, Contestant contestant, Target target) {
        return new Row(id, trial, metric, contestant, Optional.empty(), target);
    }

    /** Whether a name chooses this row: its own, or the first parts of it. */
    boolean isChosenBy(String name) {
        return id.equals(name) || id.startsWith(name + ".");
    }

    List<Contestant> contestants() {
        return Stream.concat(Stream.of(contestant), peer.stream()).toList();
    }

    /** Says in plain words what is measured, and beside what. */
    String words() {
        String beside = peer.map(other -> " against " + other.words()).orElse("");
        return trial.words() + ": " + metric.words() + beside;
    }
}
