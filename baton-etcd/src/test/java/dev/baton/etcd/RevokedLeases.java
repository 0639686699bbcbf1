package dev.baton.etcd;

import dev.baton.tck.history.BeliefChecker;
import dev.baton.tck.history.FencedMutexChecker;
import dev.baton.tck.history.HoldRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The deviations that a history may show if the server is known to revoke living leases, and nothing else: one hold for
 * each client whose lease the server did revoke, if that hold was found to be gone when it ended. No client can see it
 * sooner.
 */
final class RevokedLeases {
    private RevokedLeases() {}

    /** Returns findings that the known defect does not explain; holders are named as in {@code client 1 thread 0}. */
    static List<String> unexplained(List<HoldRecord> history, Set<String> clientsWhoseLeaseWasTaken) {
        List<HoldRecord> sound = new ArrayList<>();
        Map<String, List<HoldRecord>> gone = new TreeMap<>();
        for (HoldRecord hold : history) {
            boolean mayBeGone =
                    clientsWhoseLeaseWasTaken.contains(client(hold)) && hold.goneNanos() == HoldRecord.NEVER;
            if (mayBeGone) {
                // Local hand-offs share the hold at the store.
                gone.computeIfAbsent(client(hold) + ' ' + hold.token() / 256, first -> new ArrayList<>())
                        .add(hold);
            } else {
                sound.add(hold);
            }
        }
        List<String> findings = new ArrayList<>(findings(sound));
        Map<String, Integer> excused = new HashMap<>();
        for (List<HoldRecord> hold : gone.values()) {
            List<HoldRecord> with = new ArrayList<>(sound);
            with.addAll(hold);
            if (findings(with).size() > findings(sound).size()
                    && excused.merge(client(hold.get(0)), 1, Integer::sum) > 1) {
                findings.add(hold + " is not the only one of its client that another held beside it");
            }
        }
        if (history.stream().map(HoldRecord::token).distinct().count() < history.size()) {
            findings.add("a token was given twice");
        }
        return findings;
    }

    private static List<String> findings(List<HoldRecord> history) {
        List<String> findings = new ArrayList<>(FencedMutexChecker.check(history));
        findings.addAll(BeliefChecker.check(history));
        return findings;
    }

    private static String client(HoldRecord hold) {
        return hold.holder().substring(0, hold.holder().indexOf(" thread"));
    }
}
