package dev.baton.tck.sim;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to simulate.
 *
 * @param faults what may go wrong
 * @param broken the rule to switch off; null for none
 * @param clients how many clients
 * @param callers how many callers each has
 * @param names how many locks they fight for
 * @param faultMillis virtual time with faults; afterwards everything must come to rest
 * @param queue whether the server has a queue
 */
public record Scenario(
        Set<Fault> faults,
        @Nullable BrokenRule broken,
        int clients,
        int callers,
        int names,
        int faultMillis,
        boolean queue) {

    /** Three clients of two callers on one lock, two virtual seconds of the given faults. */
    public static Scenario of(Fault... faults) {
        Set<Fault> set = EnumSet.noneOf(Fault.class);
        set.addAll(Set.of(faults));
        return new Scenario(set, null, 3, 2, 1, 2_000, true);
    }

    /** The same with a rule switched off. */
    public Scenario without(BrokenRule rule) {
        return new Scenario(faults, rule, clients, callers, names, faultMillis, queue);
    }

    /** The same with a server that has no queue: whoever waits asks again. */
    public Scenario withoutQueue() {
        return new Scenario(faults, broken, clients, callers, names, faultMillis, false);
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    boolean isBroken(BrokenRule rule) {
        return broken == rule;
    }
}
