package dev.baton.chaos.check;

import dev.baton.tck.history.BeliefChecker;
import java.util.List;

/** No two holders believe in a lock at once. */
final class OverlapChecker implements Checker {
    @Override
    public String promise() {
        return "belief";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        return Records.check(promise(), evidence, hold -> true, BeliefChecker::find, (all, violation) -> true);
    }
}
