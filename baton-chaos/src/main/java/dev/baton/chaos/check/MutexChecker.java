package dev.baton.chaos.check;

import dev.baton.tck.history.FencedMutexChecker;
import dev.baton.tck.history.Violation;
import java.util.List;

/** The holds of a lock are those of a mutex whose tokens grow. Locks without tokens are not checked. */
final class MutexChecker implements Checker {
    @Override
    public String promise() {
        return "order";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        return Records.check(
                promise(), evidence, hold -> hold.token() >= 0, FencedMutexChecker::find, MutexChecker::isExcusable);
    }

    /** A store that forgets or ends leases early may grant twice at once, but its tokens grow all the same. */
    private static boolean isExcusable(Violation violation) {
        return violation.before().token() < violation.hold().token()
                && violation.before().askedNanos() <= violation.hold().gotNanos();
    }
}
