package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A counter without tokens loses no update of a holder that still held after its write. Only updates between which
 * every holder knows what it did are compared: a holder that was stopped between its check and its write, or died, may
 * have written at any time, which no lock prevents. Who shares a name only reads, and sees what the last one wrote who was
 * alone, from its beginning to its end.
 */
final class CounterChecker implements Checker {
    @Override
    public String promise() {
        return "counter";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        for (Map.Entry<String, List<Hold>> each : evidence.history().byName().entrySet()) {
            check(evidence, each.getValue(), findings);
        }
        return findings;
    }

    private void check(Evidence evidence, List<Hold> holds, List<Finding> findings) {
        List<Hold> byTime = new ArrayList<>(holds);
        byTime.sort(Comparator.comparingLong(Hold::firstNanos));
        Hold before = null;
        // Until when other holders than the one before may have written.
        long unsureUntil = Long.MIN_VALUE;
        for (Hold hold : byTime) {
            boolean alone = hold.portion().isAlone();
            if (!hold.work().sure()) {
                if (alone) {
                    before = null;
                    unsureUntil = Math.max(unsureUntil, mayWriteUntil(evidence, hold));
                }
                continue;
            }
            if (before != null
                    && before.firstNanos() > unsureUntil
                    && hold.work().read() != before.work().wrote()) {
                findings.add(evidence.conflict(
                        promise(),
                        holds,
                        hold.lastNanos(),
                        hold + " read " + hold.work().read() + ", but " + before + " had written "
                                + before.work().wrote(),
                        before,
                        hold));
            } else if (!alone
                    && hold.firstNanos() > unsureUntil
                    && hold.work().read() != hold.work().wrote()) {
                findings.add(changed(evidence, hold, holds));
            }
            if (alone) {
                unsureUntil = before == null ? unsureUntil : Math.max(unsureUntil, before.lastNanos());
                before = hold;
            }
        }
    }

    private Finding changed(Evidence evidence, Hold hold, List<Hold> all) {
        return evidence.finding(
                promise(),
                hold.name(),
                Evidence.asked(hold, all),
                hold.lastNanos(),
                hold + " read " + hold.work().read() + ", and later "
                        + hold.work().wrote(),
                hold);
    }

    /** Returns until when a holder that was not sure in the end may have written. */
    private static long mayWriteUntil(Evidence evidence, Hold hold) {
        if (hold.end() == Hold.End.DIED) {
            return evidence.goneBy(hold.client());
        }
        return hold.work().wrote() < 0 ? Long.MIN_VALUE : hold.recordedNanos();
    }
}
