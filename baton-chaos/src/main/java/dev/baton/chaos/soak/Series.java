package dev.baton.chaos.soak;

import dev.baton.chaos.client.Vitals;
import dev.baton.chaos.soak.Gauge.Reading;
import dev.baton.chaos.soak.Trend.Point;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All measurements of a run. Those of a process that has just begun are left out: it loads classes, compiles and fills
 * caches. For one thread.
 */
final class Series {
    private static final int KIB = 1_024;

    private final double warmUp;
    private final Map<String, Double> beginnings = new HashMap<>();
    private final Map<Quantity, List<Point>> points = new EnumMap<>(Quantity.class);

    /**
     * Creates an empty series.
     *
     * @param warmUp how long a process is left out, in the unit of the measurements' places
     */
    Series(double warmUp) {
        this.warmUp = warmUp;
    }

    /** Adds what a JVM said of itself. */
    void add(String process, double at, Vitals vitals) {
        add(
                process,
                at,
                Map.of(
                        Quantity.HEAP,
                        (double) vitals.heapBytes() / KIB,
                        Quantity.THREADS,
                        (double) vitals.threads(),
                        Quantity.DESCRIPTORS,
                        (double) vitals.descriptors()));
    }

    /** Adds what the server said. */
    void add(double at, Reading reading) {
        add("server " + reading.life(), at, reading.values());
    }

    private void add(String group, double at, Map<Quantity, Double> values) {
        double began = beginnings.computeIfAbsent(group, first -> at);
        if (at - began >= warmUp) {
            values.forEach((quantity, value) ->
                    points.computeIfAbsent(quantity, first -> new ArrayList<>()).add(new Point(group, at, value)));
        }
    }

    /** Returns the trends of all that was measured. */
    Map<Quantity, Trend> trends() {
        Map<Quantity, Trend> trends = new EnumMap<>(Quantity.class);
        points.forEach((quantity, each) -> trends.put(quantity, Trend.of(each)));
        return trends;
    }

    Map<Quantity, List<Point>> points() {
        return points;
    }
}
