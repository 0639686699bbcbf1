package dev.baton.chaos.history;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the clients of one run wrote down.
 *
 * @param holds in no order
 * @param losses in no order
 * @param troubles in no order
 * @param finals in no order
 * @param refused how many requests ended without the lock and without an exception
 */
public record History(List<Hold> holds, List<Loss> losses, List<Trouble> troubles, List<Final> finals, long refused) {
    /** Returns the holds of each lock. */
    public Map<String, List<Hold>> byName() {
        return holds.stream().collect(Collectors.groupingBy(Hold::name));
    }
}
