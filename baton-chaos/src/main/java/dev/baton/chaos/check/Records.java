package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import dev.baton.tck.history.HoldRecord;
import dev.baton.tck.history.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

/** Runs a checker of the test kit over the holds of each lock. */
final class Records {
    private Records() {}

    /**
     * Checks.
     *
     * @param promise the promise
     * @param evidence of a run
     * @param checked which holds to check
     * @param checker the checker
     * @param excusable whether a violation among all holds of a lock is excused if a fault in between may break the promise
     */
    static List<Finding> check(
            String promise,
            Evidence evidence,
            Predicate<Hold> checked,
            Function<List<HoldRecord>, List<Violation>> checker,
            BiPredicate<Collection<HoldRecord>, Violation> excusable) {
        List<Finding> findings = new ArrayList<>();
        for (Map.Entry<String, List<Hold>> each : evidence.history().byName().entrySet()) {
            Map<HoldRecord, Hold> holds = new LinkedHashMap<>();
            each.getValue().stream().filter(checked).forEach(hold -> holds.put(record(hold), hold));
            for (Violation violation : checker.apply(List.copyOf(holds.keySet()))) {
                Finding finding = evidence.conflict(
                        promise,
                        each.getValue(),
                        Math.max(violation.hold().gotNanos(), violation.hold().letGoNanos()),
                        violation.hold().holder()
                                + ' '
                                + violation.relation()
                                + ' '
                                + violation.before().holder(),
                        Objects.requireNonNull(holds.get(violation.before())),
                        Objects.requireNonNull(holds.get(violation.hold())));
                findings.add(excusable.test(holds.keySet(), violation) ? finding : finding.withoutExcuse());
            }
        }
        return findings;
    }

    private static HoldRecord record(Hold hold) {
        return new HoldRecord(
                hold.toString(),
                hold.token(),
                hold.askedNanos(),
                hold.firstNanos(),
                hold.lastNanos(),
                Math.max(hold.goneNanos(), hold.lastNanos()),
                hold.portion());
    }
}
