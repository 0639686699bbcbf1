package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import java.util.List;

/** A resource that knows tokens never refuses a holder that believes: nobody with a newer token was there before it. */
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
                        hold.askedNanos(),
                        Math.max(hold.firstNanos(), hold.lastNanos()),
                        hold + " was refused by the register while it believed",
                        hold))
                .toList();
    }
}
