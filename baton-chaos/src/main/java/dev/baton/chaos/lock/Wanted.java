package dev.baton.chaos.lock;

import dev.baton.tck.history.Portion;
import java.util.List;

/**
 * A request of a caller.
 *
 * @param names one, or several at once
 * @param portion how much of each
 */
public record Wanted(List<String> names, Portion portion) {
    /** Asks for a lock. */
    public static Wanted lock(String name) {
        return new Wanted(List.of(name), Portion.LOCK);
    }

    /** Returns the name, or the first of several. */
    public String name() {
        return names.get(0);
    }
}
