package dev.baton.chaos.report;

import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.Grants;
import dev.baton.chaos.history.Hold;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Counts the holds that overlap a fault, with their waits, without a look at all of them. Immutable. */
final class Overlaps {
    private final Hold[] byEnd;
    private final long[] ends;
    private final long longest;

    Overlaps(List<Hold> holds) {
        byEnd = holds.toArray(Hold[]::new);
        Arrays.sort(byEnd, Comparator.comparingLong(Overlaps::end));
        ends = Arrays.stream(byEnd).mapToLong(Overlaps::end).toArray();
        longest = Arrays.stream(byEnd)
                .mapToLong(hold -> end(hold) - hold.askedNanos())
                .max()
                .orElse(0);
    }

    private static long end(Hold hold) {
        return Math.max(hold.firstNanos(), hold.lastNanos());
    }

    long count(Happened fault) {
        long count = 0;
        for (int i = Grants.firstFrom(ends, fault.beganNanos());
                i < ends.length && ends[i] - fault.endedNanos() <= longest;
                i++) {
            count += byEnd[i].askedNanos() <= fault.endedNanos() ? 1 : 0;
        }
        return count;
    }
}
