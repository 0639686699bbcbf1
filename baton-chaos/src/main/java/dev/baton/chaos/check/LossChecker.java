package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Loss;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A holder is told of a loss once at most, and of none if it held the lock until it released it. */
final class LossChecker implements Checker {
    @Override
    public String promise() {
        return "loss";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        Map<HoldKey, Hold> holds = new HashMap<>();
        evidence.history().holds().forEach(hold -> holds.put(HoldKey.of(hold), hold));
        Set<HoldKey> told = new HashSet<>();
        List<Finding> findings = new ArrayList<>();
        for (Loss loss : evidence.history().losses()) {
            HoldKey key = new HoldKey(loss.client(), loss.hold());
            Hold hold = holds.get(key);
            if (hold == null) {
                findings.add(finding(evidence, "", loss, "a loss of a hold that never began"));
            } else if (!told.add(key)) {
                findings.add(finding(evidence, hold.name(), loss, hold + " was told of its loss twice", hold));
            } else if (hold.end() == Hold.End.RELEASED) {
                findings.add(finding(
                        evidence, hold.name(), loss, hold + " was told of a loss, and held until its release", hold));
            }
        }
        return findings;
    }

    private Finding finding(Evidence evidence, String name, Loss loss, String message, Hold... holds) {
        return evidence.finding(promise(), name, loss.atNanos(), loss.atNanos(), message, holds);
    }
}
