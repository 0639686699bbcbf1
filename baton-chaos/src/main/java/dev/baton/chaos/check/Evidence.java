package dev.baton.chaos.check;

import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.History;
import dev.baton.chaos.history.Hold;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What is known of a run.
 *
 * @param history what the clients wrote down
 * @param faults what happened to them
 * @param deaths when clients that were killed had ended, by their numbers
 * @param leaseTime of all locks
 * @param unfinished the clients that did not finish when they were told to
 * @param residue the names of locks that the store still knew when all clients had gone
 */
public record Evidence(
        History history,
        List<Happened> faults,
        Map<Integer, Long> deaths,
        Duration leaseTime,
        List<String> unfinished,
        List<String> residue) {
    /** Creates a finding; it is excused if a fault in between excuses it. */
    Finding finding(String promise, String name, long fromNanos, long toNanos, String message, Hold... holds) {
        boolean excused = faults.stream().anyMatch(each -> each.excuses(promise, fromNanos, toNanos));
        return new Finding(promise, name, fromNanos, toNanos, message, excused, List.of(holds));
    }

    /**
     * Creates a finding about two holds that contradict each other. Everything counts that happened since the earlier
     * request: a store that forgets the earlier hold may grant both, and either may be the first to believe.
     *
     * @param all holds of the name
     */
    Finding conflict(String promise, List<Hold> all, long toNanos, String message, Hold one, Hold other) {
        return finding(promise, one.name(), Math.min(asked(one, all), asked(other, all)), toNanos, message, one, other);
    }

    /** Returns when a hold was asked for. Readers share a hold of the store, which the first of them has asked for. */
    static long asked(Hold hold, List<Hold> all) {
        return hold.portion().isReader()
                ? all.stream()
                        .filter(each -> each.token() == hold.token())
                        .mapToLong(Hold::askedNanos)
                        .min()
                        .orElseThrow()
                : hold.askedNanos();
    }

    /** Returns when a client that died had certainly ended. */
    long goneBy(int client) {
        return deaths.getOrDefault(client, Hold.NEVER);
    }

    /** Whether no fault went on between two times. */
    boolean isQuiet(long fromNanos, long toNanos) {
        return faults.stream().noneMatch(each -> each.overlaps(fromNanos, toNanos));
    }

    /** Whether no fault went on between two times, and none had to be found out by clients themselves. */
    boolean isQuietForAll(long fromNanos, long toNanos) {
        return faults.stream()
                .noneMatch(each ->
                        each.overlaps(fromNanos - each.fault().aftermath().toNanos(), toNanos));
    }

    /** Whether a fault went on at any time of a hold, or of the wait for it. */
    public boolean overlapsFault(Hold hold) {
        return !isQuiet(hold.askedNanos(), Math.max(hold.firstNanos(), hold.lastNanos()));
    }
}
