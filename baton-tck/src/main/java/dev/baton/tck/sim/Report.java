package dev.baton.tck.sim;

import java.util.List;

/**
 * The findings of a simulation.
 *
 * @param seed replays it
 * @param grants how many holds the store granted
 * @param handOffs how many leases changed hands inside a client
 * @param losses how many leases were lost
 * @param refusedWrites how many stale writes the fenced resource refused
 * @param overlaps moments at which two clients believed in the same lock
 * @param faults all other violations: tokens that do not grow, attempts granted twice, stale writes accepted, waiters
 *     that never end, records left behind
 */
public record Report(
        long seed,
        int grants,
        int handOffs,
        int losses,
        int refusedWrites,
        List<String> overlaps,
        List<String> faults) {

    /** Returns whether there were neither overlaps nor other violations. */
    public boolean isClean() {
        return overlaps.isEmpty() && faults.isEmpty();
    }
}
