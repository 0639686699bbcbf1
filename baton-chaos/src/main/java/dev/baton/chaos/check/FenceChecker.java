package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import java.util.List;

/**
 * A resource that knows tokens never refuses a holder that believes: nobody with a newer token was there before it. If a
 * store forgets a hold, its client passes it on to its own callers until it learns of that: what happened since the first
 * of them asked counts.
 */
final class FenceChecker implements Checker {
    @Override
    public String promise() {
        return "fence";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        return evidence.history().holds().stream()
                .filter(hold -> hold.work().fence() == Hold.Fence.REFUSED_WHILE_HELD)
                .map(hold -> evidence.finding(
                        promise(),
                        hold.name(),
                        askedFirst(hold, evidence),
                        Math.max(hold.firstNanos(), hold.lastNanos()),
                        hold + " was refused by the register while it believed",
                        hold))
                .toList();
    }

    /** Returns when the hold of the store was asked for; if its first caller told nothing, a lease before it was passed on. */
    private static long askedFirst(Hold refused, Evidence evidence) {
        List<Hold> same = evidence.history().holds().stream()
                .filter(each -> each.name().equals(refused.name())
                        && StoreTokens.of(each.token()) == StoreTokens.of(refused.token()))
                .toList();
        long asked = same.stream().mapToLong(Hold::askedNanos).min().orElseThrow();
        boolean isKnown = same.stream().anyMatch(each -> StoreTokens.isOfFirst(each.token()));
        return isKnown ? asked : asked - evidence.leaseTime().toNanos();
    }
}
