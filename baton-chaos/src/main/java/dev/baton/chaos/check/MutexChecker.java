package dev.baton.chaos.check;

import dev.baton.tck.history.FencedMutexChecker;
import dev.baton.tck.history.HoldRecord;
import dev.baton.tck.history.Violation;
import java.util.Collection;
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

    /**
     * A store that forgets or ends leases early may grant twice at once, but its tokens grow all the same. Until the
     * earlier client learns of it, it passes its hold on to its own callers, with the tokens of that hold. The first of them
     * may have told nothing: a request for several names that failed had it, or one that was cancelled.
     */
    private static boolean isExcusable(Collection<HoldRecord> all, Violation violation) {
        HoldRecord before = violation.before();
        HoldRecord hold = violation.hold();
        long asked = storeToken(before) == storeToken(hold)
                ? before.askedNanos()
                : all.stream()
                        .filter(each -> storeToken(each) == storeToken(before))
                        .mapToLong(HoldRecord::askedNanos)
                        .min()
                        .orElseThrow();
        boolean unknown = storeToken(before) != storeToken(hold) && isOfUnknownFirst(before, all);
        return before.token() < hold.token() && (asked <= hold.gotNanos() || unknown);
    }

    private static boolean isOfUnknownFirst(HoldRecord passedOn, Collection<HoldRecord> all) {
        return all.stream()
                .noneMatch(each -> storeToken(each) == storeToken(passedOn) && StoreTokens.isOfFirst(each.token()));
    }

    private static long storeToken(HoldRecord hold) {
        return StoreTokens.of(hold.token());
    }
}
