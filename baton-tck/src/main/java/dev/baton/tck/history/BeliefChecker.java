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
     * @return the violations; empty if there are none
     */
    public static List<String> check(List<HoldRecord> history) {
        List<HoldRecord> byTime = new ArrayList<>(history);
        byTime.sort(Comparator.comparingLong(HoldRecord::gotNanos).thenComparingLong(HoldRecord::letGoNanos));
        List<String> findings = new ArrayList<>();
        HoldRecord longest = null;
        for (HoldRecord hold : byTime) {
            if (longest != null && hold.gotNanos() < longest.letGoNanos()) {
                findings.add(longest + " and " + hold + " overlap");
            }
            if (longest == null || hold.letGoNanos() > longest.letGoNanos()) {
                longest = hold;
            }
        }
        return findings;
    }
}
