package dev.baton.chaos.check;

import dev.baton.tck.history.FencedMutexChecker;
import java.util.List;

/** The holds of a lock are those of a mutex whose tokens grow. */
final class MutexChecker implements Checker {
    @Override
    public String promise() {
        return "order";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        return Records.check(promise(), evidence, FencedMutexChecker::find);
    }
}
