package dev.baton.chaos.check;

import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.Final;
import dev.baton.chaos.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * After a fault some caller gets through soon, and after the last one every caller does: within three leases, and a
 * claim window of three seconds for a waiter that died.
 */
final class LivenessChecker implements Checker {
    private static final Duration CLAIM = Duration.ofSeconds(3);

    @Override
    public String promise() {
        return "liveness";
    }

    private static Duration bound(Evidence evidence) {
        return evidence.leaseTime().multipliedBy(3).plus(CLAIM);
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        long[] granted = evidence.history().holds().stream()
                .mapToLong(Hold::firstNanos)
                .sorted()
                .toArray();
        long bound = bound(evidence).toNanos();
        for (Happened each : evidence.faults()) {
            long until = each.endedNanos() + bound;
            boolean over = granted.length > 0 && granted[granted.length - 1] < until;
            if (!over && evidence.isQuiet(each.endedNanos() + 1, until) && !hasOne(granted, each.endedNanos(), until)) {
                findings.add(evidence.finding(
                        promise(),
                        "",
                        each.beganNanos(),
                        until,
                        "no caller got a lock within " + bound(evidence).toMillis() + " ms after "
                                + each.fault().id() + " of " + each.where()));
            }
        }
        evidence.unfinished()
                .forEach(client -> findings.add(evidence.finding(
                        promise(), "", 0, 0, client + " did not finish: its callers wait, or its close")));
        for (Final last : evidence.history().finals()) {
            if (!last.granted() || last.waited().compareTo(bound(evidence)) > 0) {
                findings.add(evidence.finding(
                        promise(),
                        last.name(),
                        0,
                        0,
                        "caller " + last.thread() + " of client " + last.client()
                                + (last.granted() ? " got through after " : " did not get through in ")
                                + last.waited().toMillis() + " ms"));
            }
        }
        return findings;
    }

    private static boolean hasOne(long[] sorted, long from, long to) {
        int at = Arrays.binarySearch(sorted, from);
        int first = at < 0 ? -at - 1 : at;
        return first < sorted.length && sorted[first] <= to;
    }
}
