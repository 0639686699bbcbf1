package dev.baton.tck.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Checks whether two holders ever believed in a lock at once. Beliefs that touch at one moment do not overlap. */
public final class BeliefChecker {
    private BeliefChecker() {}

    /**
     * Checks a history in O(n log n).
     *
     * @param history holds of one lock, in any order; a holder believes from {@code gotNanos} to {@code letGoNanos}
     * @return what {@link #find} finds, in words
     */
    public static List<String> check(List<HoldRecord> history) {
        return find(history).stream().map(Violation::message).toList();
    }

    /**
     * Finds beliefs that overlap, in O(n log n).
     *
     * @param history holds of one lock, in any order; a holder believes from {@code gotNanos} to {@code letGoNanos}, or
     *     is not known to have believed if the second comes first
     * @return the violations; empty if there are none
     */
    public static List<Violation> find(List<HoldRecord> history) {
        List<HoldRecord> byTime = new ArrayList<>(history);
        byTime.removeIf(hold -> hold.gotNanos() > hold.letGoNanos());
        byTime.sort(Comparator.comparingLong(HoldRecord::gotNanos).thenComparingLong(HoldRecord::letGoNanos));
        List<Violation> findings = new ArrayList<>();
        HoldRecord longest = null;
        for (HoldRecord hold : byTime) {
            if (longest != null && hold.gotNanos() < longest.letGoNanos()) {
                findings.add(new Violation(longest, hold, "overlaps"));
            }
            if (longest == null || hold.letGoNanos() > longest.letGoNanos()) {
                longest = hold;
            }
        }
        return findings;
    }
}
