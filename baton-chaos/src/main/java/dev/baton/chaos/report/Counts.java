package dev.baton.chaos.report;

import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.history.Hold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How much a run has checked.
 *
 * @param holds all holds
 * @param contended holds that were asked for while another had the lock
 * @param contendedUnderFault those of them that overlapped a fault, with their wait
 * @param lost holds that were over before their release
 * @param stale writes of former holders that the register refused
 */
public record Counts(long holds, long contended, long contendedUnderFault, long lost, long stale) {
    static Counts of(Evidence evidence) {
        long contended = 0;
        long under = 0;
        for (List<Hold> each : evidence.history().byName().values()) {
            List<Hold> byTime = new ArrayList<>(each);
            byTime.sort(Comparator.comparingLong(Hold::firstNanos));
            long busyUntil = Long.MIN_VALUE;
            for (Hold hold : byTime) {
                if (hold.askedNanos() < busyUntil) {
                    contended++;
                    under += evidence.overlapsFault(hold) ? 1 : 0;
                }
                busyUntil = Math.max(busyUntil, Math.max(hold.firstNanos(), hold.lastNanos()));
            }
        }
        List<Hold> holds = evidence.history().holds();
        return new Counts(
                holds.size(),
                contended,
                under,
                holds.stream().filter(hold -> hold.end() == Hold.End.LOST).count(),
                holds.stream()
                        .filter(hold -> hold.work().fence() == Hold.Fence.REFUSED)
                        .count());
    }
}
