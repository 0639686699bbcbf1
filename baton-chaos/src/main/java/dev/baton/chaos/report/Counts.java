package dev.baton.chaos.report;

import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Noted;
import dev.baton.chaos.history.Run;
import dev.baton.chaos.lock.NameKind;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How much a run has checked.
 *
 * @param holds all holds
 * @param contended holds that were asked for while another had the lock
 * @param contendedUnderFault those of them that overlapped a fault, with their wait
 * @param lost holds that were over before their release
 * @param stale writes of former holders that the register refused
 * @param notes notes whose writing the store has confirmed
 * @param runs runs of jobs whose success is recorded
 * @param ofKinds how many of the holds are of each kind of name
 */
public record Counts(
        long holds,
        long contended,
        long contendedUnderFault,
        long lost,
        long stale,
        long notes,
        long runs,
        SortedMap<String, Long> ofKinds) {
    static Counts of(Evidence evidence) {
        List<Hold> holds = evidence.history().holds();
        List<Hold> contended = Contention.of(holds);
        return new Counts(
                holds.size(),
                contended.size(),
                contended.stream().filter(evidence::overlapsFault).count(),
                holds.stream().filter(hold -> hold.end() == Hold.End.LOST).count(),
                holds.stream()
                        .filter(hold -> hold.work().fence() == Hold.Fence.REFUSED)
                        .count(),
                evidence.history().notes().stream()
                        .filter(noted -> noted.write() == Noted.Write.WRITTEN)
                        .count(),
                evidence.history().runs().stream().filter(Run::isRecorded).count(),
                holds.stream()
                        .collect(Collectors.groupingBy(
                                hold -> NameKind.wordOf(hold.name()), TreeMap::new, Collectors.counting())));
    }
}
