package dev.baton.chaos.report;

import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.Grants;
import dev.baton.chaos.history.Hold;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a fault cost.
 *
 * @param fault that happened
 * @param untilGrant from its end to the next grant of any lock; empty if the run ended before
 * @param longestWait of the callers that got a lock and whose wait overlapped the fault
 * @param lost holds that overlapped the fault and were lost
 * @param contended holds that were asked for while another had the lock, and that overlapped the fault with their wait
 */
record Recovery(Happened fault, Optional<Duration> untilGrant, Duration longestWait, long lost, long contended) {
    /** Returns one for each fault, in the order in which the faults began. */
    static List<Recovery> all(List<Happened> faults, List<Hold> holds) {
        Overlaps contended = new Overlaps(Contention.of(holds));
        Hold[] byGrant = holds.toArray(Hold[]::new);
        Arrays.sort(byGrant, Comparator.comparingLong(Hold::firstNanos));
        Grants grants = Grants.of(holds);
        List<Hold> lost =
                holds.stream().filter(hold -> hold.end() == Hold.End.LOST).toList();
        long most = Arrays.stream(byGrant).mapToLong(Recovery::waited).max().orElse(0);
        return faults.stream()
                .sorted(Comparator.comparingLong(Happened::beganNanos))
                .map(fault -> new Recovery(
                        fault,
                        untilGrant(grants, fault.endedNanos()),
                        longestWait(fault, byGrant, grants.indexFrom(fault.beganNanos()), most),
                        lost.stream()
                                .filter(hold -> hold.firstNanos() <= fault.endedNanos()
                                        && hold.recordedNanos() >= fault.beganNanos())
                                .count(),
                        contended.count(fault)))
                .toList();
    }

    private static Optional<Duration> untilGrant(Grants grants, long ended) {
        OptionalLong next = grants.nextFrom(ended);
        return next.isEmpty() ? Optional.empty() : Optional.of(Duration.ofNanos(next.getAsLong() - ended));
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
}
