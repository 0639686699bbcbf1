package dev.baton.chaos.report;

import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.Hold;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a fault cost.
 *
 * @param fault that happened
 * @param untilGrant from its end to the next grant of any lock; empty if the run ended before
 * @param longestWait of the callers that got a lock and whose wait overlapped the fault
 * @param lost holds that overlapped the fault and were lost
 */
record Recovery(Happened fault, Optional<Duration> untilGrant, Duration longestWait, long lost) {
    /** Returns one for each fault, in the order in which the faults began. */
    static List<Recovery> all(List<Happened> faults, List<Hold> holds) {
        Hold[] byGrant = holds.toArray(Hold[]::new);
        Arrays.sort(byGrant, Comparator.comparingLong(Hold::firstNanos));
        long[] granted = Arrays.stream(byGrant).mapToLong(Hold::firstNanos).toArray();
        List<Hold> lost =
                holds.stream().filter(hold -> hold.end() == Hold.End.LOST).toList();
        long most = Arrays.stream(byGrant).mapToLong(Recovery::waited).max().orElse(0);
        return faults.stream()
                .sorted(Comparator.comparingLong(Happened::beganNanos))
                .map(fault -> new Recovery(
                        fault,
                        untilGrant(granted, fault.endedNanos()),
                        longestWait(fault, byGrant, firstFrom(granted, fault.beganNanos()), most),
                        lost.stream()
                                .filter(hold -> hold.firstNanos() <= fault.endedNanos()
                                        && hold.recordedNanos() >= fault.beganNanos())
                                .count()))
                .toList();
    }

    private static Optional<Duration> untilGrant(long[] granted, long ended) {
        int next = firstFrom(granted, ended);
        return next == granted.length ? Optional.empty() : Optional.of(Duration.ofNanos(granted[next] - ended));
    }

    /** A wait that overlaps the fault ends in its time, or by the longest of all waits later. */
    private static Duration longestWait(Happened fault, Hold[] byGrant, int from, long most) {
        long longest = 0;
        for (int i = from; i < byGrant.length && byGrant[i].firstNanos() - fault.endedNanos() <= most; i++) {
            if (byGrant[i].askedNanos() <= fault.endedNanos()) {
                longest = Math.max(longest, waited(byGrant[i]));
            }
        }
        return Duration.ofNanos(longest);
    }

    private static long waited(Hold hold) {
        return hold.firstNanos() - hold.askedNanos();
    }

    /** Returns the place of the first time that is not earlier. */
    private static int firstFrom(long[] sorted, long nanos) {
        int least = 0;
        int most = sorted.length;
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (sorted[middle] < nanos) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        return least;
    }
}
