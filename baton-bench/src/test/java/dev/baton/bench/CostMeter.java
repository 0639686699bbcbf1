package dev.baton.bench;

import static org.junit.jupiter.api.Assertions.assertAll;

import java.util.EnumMap;
import java.util.Map;

/** Counts the costs of operations. Other activity only adds to a cost, so the least of several runs is taken. */
final class CostMeter {
    private final Map<Cost, Counter> counters = new EnumMap<>(Cost.class);
    private final Map<Cost, Double> least = new EnumMap<>(Cost.class);

    /** A counter that only rises. */
    interface Counter {
        double read() throws Exception;
    }

    /** Runs an operation a number of times. */
    interface Load {
        void run(int times) throws Exception;
    }

    CostMeter count(Cost cost, Counter counter) {
        counters.put(cost, counter);
        return this;
    }

    CostMeter countAllocated(Cost cost) {
        Allocations start = Allocations.now();
        return count(cost, () -> Allocations.now().since(start));
    }

    /** Runs the load several times, each with this number of operations, and compares the costs with the limits. */
    void check(int runs, int operations, Load load) throws Exception {
        Map<Cost, Double> asking = difference(0, times -> {});
        for (int i = 0; i < runs; i++) {
            difference(operations, load)
                    .forEach((cost, rise) ->
                            least.merge(cost, Math.max(0, rise - asking.get(cost)) / operations, Math::min));
        }
        assertAll(least.entrySet().stream().map(cost -> () -> cost.getKey().check(cost.getValue())));
    }

    private Map<Cost, Double> difference(int operations, Load load) throws Exception {
        Map<Cost, Double> before = read();
        load.run(operations);
        Map<Cost, Double> after = read();
        after.replaceAll((cost, figure) -> figure - before.get(cost));
        return after;
    }

    private Map<Cost, Double> read() throws Exception {
        Map<Cost, Double> figures = new EnumMap<>(Cost.class);
        for (Map.Entry<Cost, Counter> counter : counters.entrySet()) {
            figures.put(counter.getKey(), counter.getValue().read());
        }
        return figures;
    }
}
