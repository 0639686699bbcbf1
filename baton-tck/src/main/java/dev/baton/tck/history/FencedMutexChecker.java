package dev.baton.tck.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Checks whether a history of holds fits a mutex whose tokens grow. It does if every grant can be given a moment
 * between asking and having, and every end a moment between letting go and gone, so that no two holds overlap and
 * tokens follow the order of grants.
 *
 * <p>Tokens determine the order, so no search is needed. In order of tokens, every grant and every end gets its
 * earliest moment; a moment that comes too late is a violation. Sorting costs O(n log n).
 */
public final class FencedMutexChecker {
    private FencedMutexChecker() {}

    /**
     * Checks a history.
     *
     * @param history holds of one lock, in any order
     * @return what {@link #find} finds, in words
     */
    public static List<String> check(List<HoldRecord> history) {
        return find(history).stream().map(Violation::message).toList();
    }

    /**
     * Finds holds that do not fit.
     *
     * @param history holds of one lock, in any order
     * @return the violations; empty if there are none
     */
    public static List<Violation> find(List<HoldRecord> history) {
        List<HoldRecord> byToken = new ArrayList<>(history);
        byToken.sort(Comparator.comparingLong(HoldRecord::token));
        List<Violation> findings = new ArrayList<>();
        long freeNanos = Long.MIN_VALUE;
        HoldRecord before = null;
        for (HoldRecord hold : byToken) {
            if (before != null && before.token() == hold.token()) {
                findings.add(new Violation(before, hold, "has the token of"));
            }
            long granted = Math.max(hold.askedNanos(), freeNanos);
            if (before != null && granted > hold.gotNanos()) {
                findings.add(new Violation(before, hold, "was held before the end of"));
                // Otherwise every hold until that end would be found as well.
                granted = hold.gotNanos();
            }
            freeNanos = Math.max(hold.letGoNanos(), granted);
            before = hold;
        }
        return findings;
    }
}
