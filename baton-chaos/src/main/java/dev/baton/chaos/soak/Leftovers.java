package dev.baton.chaos.soak;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.soak.Gauge.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What clients that have gone left at the server. */
final class Leftovers {
    /** Dead clients' leases, and the server's own delays, are over by then. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private Leftovers() {}

    /** Reads until nothing is left, for some time at most. */
    static Reading awaited(Gauge gauge, Reading before) throws InterruptedException {
        long began = HostTime.nanos();
        Reading after = gauge.read();
        while (!of(before, after).isEmpty() && HostTime.since(began).compareTo(LIMIT) < 0) {
            HostTime.sleep(LOOK);
            after = gauge.read();
        }
        return after;
    }

    /** Returns what there is more than before: entries and connections, in words. */
    static List<String> of(Reading before, Reading after) {
        List<String> left = new ArrayList<>();
        if (after.values().isEmpty() && !before.values().isEmpty()) {
            left.add("the server does not answer");
        }
        for (Quantity each : List.of(Quantity.ENTRIES, Quantity.CONNECTIONS)) {
            double more = value(after.values(), each) - value(before.values(), each);
            if (more > 0) {
                left.add("%d more %s".formatted((long) more, each.words()));
            }
        }
        return left;
    }

    private static double value(Map<Quantity, Double> values, Quantity quantity) {
        return values.getOrDefault(quantity, 0.0);
    }
}
