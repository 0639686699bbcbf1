package dev.baton.tck.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Whether a history of holds is one of a mutex whose tokens grow: whether there is a moment for every grant between
 * asking and having, and one for every end between letting go and gone, so that nobody holds beside another and tokens
 * follow the order of grants.
 *
 * <p>Tokens say which order it has to be, so no search is needed: in order of tokens, every grant and every end is put
 * at its earliest moment, and a moment that comes too late is a violation. Sorting costs O(n log n).
 */
public final class FencedMutexChecker {
    private FencedMutexChecker() {}

    /**
     * Checks.
     *
     * @param history holds of one lock, in any order
     * @return what is wrong; empty if nothing is
     */
    public static List<String> check(List<HoldRecord> history) {
        List<HoldRecord> byToken = new ArrayList<>(history);
        byToken.sort(Comparator.comparingLong(HoldRecord::token));
        List<String> findings = new ArrayList<>();
        long freeNanos = Long.MIN_VALUE;
        HoldRecord before = null;
        for (HoldRecord hold : byToken) {
            if (before != null && before.token() == hold.token()) {
                findings.add(before + " and " + hold + " have the same token");
            }
            long granted = Math.max(hold.askedNanos(), freeNanos);
            if (granted > hold.gotNanos()) {
                findings.add(hold + " was held before " + before + " had ended");
            }
            freeNanos = Math.max(hold.letGoNanos(), granted);
            before = hold;
        }
        return findings;
    }
}
