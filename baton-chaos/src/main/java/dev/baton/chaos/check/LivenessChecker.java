package dev.baton.chaos.check;

import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.Final;
import dev.baton.chaos.history.Grants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

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
        afterFaults(evidence, findings);
        evidence.unfinished()
                .forEach(client -> findings.add(evidence.finding(
                        promise(), "", 0, 0, client + " did not finish: its callers wait, or its close")));
        lastRequests(evidence, findings);
        return findings;
    }

    private void afterFaults(Evidence evidence, List<Finding> findings) {
        Grants grants = Grants.of(evidence.history().holds());
        long bound = bound(evidence).toNanos();
        for (Happened each : evidence.faults()) {
            long until = each.endedNanos() + each.fault().aftermath().toNanos() + bound;
            OptionalLong next = grants.nextFrom(each.endedNanos());
            // If there is none, the run ended before it. The last requests show whether that was the reason.
            boolean late = next.isPresent()
                    ? next.getAsLong() > until
                    : evidence.history().holds().isEmpty();
            if (late && evidence.isQuiet(each.endedNanos() + 1, until)) {
                findings.add(evidence.finding(
                        promise(),
                        "",
                        each.beganNanos(),
                        until,
                        "no caller got a lock within " + bound(evidence).toMillis() + " ms after "
                                + each.fault().id() + " of " + each.where()));
            }
        }
    }

    private void lastRequests(Evidence evidence, List<Finding> findings) {
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
    }
}
