package dev.baton.chaos.report;

import dev.baton.chaos.history.Hold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tells which holds were asked for while another had the lock. */
final class Contention {
    private Contention() {}

    /** Returns those of the holds of any locks. */
    static List<Hold> of(List<Hold> holds) {
        return byName(holds.stream().collect(Collectors.groupingBy(Hold::name))).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    /** Returns those holds of each lock, in the order of locks. */
    static Map<String, List<Hold>> byName(Map<String, List<Hold>> holds) {
        Map<String, List<Hold>> contended = new TreeMap<>();
        holds.forEach((name, each) -> contended.put(name, ofOne(each)));
        return contended;
    }

    /** Returns the lock with the most of them; empty if there are no holds. */
    static String mostContended(Map<String, List<Hold>> holds) {
        String most = "";
        int size = -1;
        for (Map.Entry<String, List<Hold>> each : byName(holds).entrySet()) {
            if (each.getValue().size() > size) {
                most = each.getKey();
                size = each.getValue().size();
            }
        }
        return most;
    }

    private static List<Hold> ofOne(List<Hold> ofOneLock) {
        List<Hold> byTime = new ArrayList<>(ofOneLock);
        byTime.sort(Comparator.comparingLong(Hold::firstNanos));
        List<Hold> contended = new ArrayList<>();
        long busyUntil = Long.MIN_VALUE;
        for (Hold hold : byTime) {
            if (hold.askedNanos() < busyUntil) {
                contended.add(hold);
            }
            busyUntil = Math.max(busyUntil, Math.max(hold.firstNanos(), hold.lastNanos()));
        }
        return contended;
    }
}
