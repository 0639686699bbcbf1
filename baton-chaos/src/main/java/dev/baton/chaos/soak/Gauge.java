package dev.baton.chaos.soak;

import java.util.Map;

/** Measures a server. */
interface Gauge {
    /**
     * What a server says.
     *
     * @param life differs after each start of the server
     * @param values what it measured
     */
    record Reading(String life, Map<Quantity, Double> values) {
        static final Reading NOTHING = new Reading("", Map.of());
    }

    /** Measures. Returns nothing if the server does not answer. */
    Reading read();
}
