package dev.baton.chaos.history;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the clients of one run wrote down.
 *
 * @param holds in no order
 * @param losses in no order
 * @param troubles in no order
 * @param finals in no order
 * @param refused how many requests ended without the lock and without an exception
 * @param said what clients told operators
 * @param notes what holders did with notes, in no order
 * @param runs of jobs, in no order
 */
public record History(
        List<Hold> holds,
        List<Loss> losses,
        List<Trouble> troubles,
        List<Final> finals,
        long refused,
        List<Said> said,
        List<Noted> notes,
        List<Run> runs) {
    /** Creates the history of clients that told nothing. */
    public History(List<Hold> holds, List<Loss> losses, List<Trouble> troubles, List<Final> finals, long refused) {
        this(holds, losses, troubles, finals, refused, List.of(), List.of(), List.of());
    }

    /** Returns how often all clients together told something, in the order of texts. */
    public SortedMap<String, Long> told() {
        return said.stream()
                .collect(Collectors.groupingBy(Said::text, TreeMap::new, Collectors.summingLong(Said::count)));
    }

    /** Returns the holds of each lock. */
    public Map<String, List<Hold>> byName() {
        return holds.stream().collect(Collectors.groupingBy(Hold::name));
    }
}
