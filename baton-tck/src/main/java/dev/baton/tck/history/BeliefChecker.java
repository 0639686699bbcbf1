package dev.baton.tck.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Checks whether holders ever believed at once that they have more of a name than there is: two holders of a lock, a
 * reader beside a writer, or too many permits. Beliefs that touch at one moment do not overlap.
 */
public final class BeliefChecker {
    private BeliefChecker() {}

    /**
     * Checks a history in O(n log n).
     *
     * @param history holds of one name, in any order; a holder believes from {@code gotNanos} to {@code letGoNanos}
     * @return what {@link #find} finds, in words
     */
    public static List<String> check(List<HoldRecord> history) {
        return find(history).stream().map(Violation::message).toList();
    }

    /**
     * Finds beliefs that are too many at once, in O(n log n).
     *
     * @param history holds of one name, in any order; a holder believes from {@code gotNanos} to {@code letGoNanos}, or
     *     is not known to have believed if the second comes first
     * @return the violations; empty if there are none
     */
    public static List<Violation> find(List<HoldRecord> history) {
        List<HoldRecord> byTime = new ArrayList<>(history);
        byTime.removeIf(hold -> hold.gotNanos() > hold.letGoNanos());
        byTime.sort(Comparator.comparingLong(HoldRecord::gotNanos).thenComparingLong(HoldRecord::letGoNanos));
        List<Violation> findings = new ArrayList<>();
        PriorityQueue<HoldRecord> present = new PriorityQueue<>(Comparator.comparingLong(HoldRecord::letGoNanos));
        // A long: two writers overflow an int.
        long used = 0;
        for (HoldRecord hold : byTime) {
            while (!present.isEmpty() && present.element().letGoNanos() <= hold.gotNanos()) {
                used -= present.remove().portion().weight();
            }
            used += hold.portion().weight();
            if (used > hold.portion().capacity()) {
                findings.add(new Violation(tooMany(present, hold), hold, "overlaps"));
            }
            present.add(hold);
        }
        return findings;
    }

    /**
     * Returns the hold that makes those which were asked for since then, and this one, too many: without the older ones
     * there are still too many.
     */
    private static HoldRecord tooMany(Collection<HoldRecord> present, HoldRecord hold) {
        Iterator<HoldRecord> latestFirst = present.stream()
                .sorted(Comparator.comparingLong(HoldRecord::askedNanos).reversed())
                .iterator();
        HoldRecord next = latestFirst.next();
        long used = hold.portion().weight() + (long) next.portion().weight();
        while (used <= hold.portion().capacity()) {
            next = latestFirst.next();
            used += next.portion().weight();
        }
        return next;
    }
}
