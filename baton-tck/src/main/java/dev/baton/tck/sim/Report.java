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
 * @param notes what happened to notes
 * @param overlaps moments at which two clients believed in the same lock
 * @param faults all other violations: tokens that do not grow, attempts granted twice, stale writes accepted, waiters
 *     that never end, records left behind, notes lost or written by stale holders
 */
public record Report(
        long seed,
        int grants,
        int handOffs,
        int losses,
        int refusedWrites,
        Notes notes,
        List<String> overlaps,
        List<String> faults) {
    /**
     * What happened to notes.
     *
     * @param written how many writes were acknowledged
     * @param refused how many writes were not accepted
     * @param read how many reads holders could rely on
     * @param restored how many notes a server took back
     * @param forgotten how many notes were removed
     * @param overtaken how many reads were followed by a late write of a caller that had the same hold before
     * @param strayed how many reads before a failover were followed by a write that was on its way during it, and found
     *     the earlier hold that the new server still knew
     */
    public record Notes(int written, int refused, int read, int restored, int forgotten, int overtaken, int strayed) {}

    /** Returns whether there were neither overlaps nor other violations. */
    public boolean isClean() {
        return overlaps.isEmpty() && faults.isEmpty();
    }
}
