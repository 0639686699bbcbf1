package dev.baton.chaos.soak;

import dev.baton.chaos.soak.Gauge.Reading;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was left when all clients had gone.
 *
 * @param store what the server says of itself
 * @param length how long they came and went
 * @param clients how many were closed
 * @param killed how many were killed with their JVM
 * @param failed how many could not connect or use a lock
 * @param series what the JVMs needed, by their numbers of clients
 * @param before the server before the first client
 * @param after the server after the last client
 */
public record CrowdReport(
        String store,
        Duration length,
        int clients,
        int killed,
        int failed,
        Series series,
        Reading before,
        Reading after) {
    /** Returns what is wrong: what was left over, and what grows in JVMs. */
    public List<String> defects() {
        return Growth.defects(series, before, after);
    }

    /** Returns the report for a terminal. */
    public String toText() {
        return String.format(
                        Locale.ROOT,
                        "%d clients came and went in %d s on %s: %.1f/s; %d more were killed, %d could not work%n",
                        clients,
                        length.toSeconds(),
                        store,
                        clients / (double) Math.max(1, length.toSeconds()),
                        killed,
                        failed)
                + Growth.table(series, "growth with 100,000")
                + Growth.ends(before, after, defects());
    }

    /** Returns the report for programs. */
    public Map<String, Object> toMap() {
        Map<String, Object> all = Growth.json(series, before, after);
        all.put("server", store);
        all.put("seconds", length.toSeconds());
        all.put("clients", clients);
        all.put("killed", killed);
        all.put("failed", failed);
        return all;
    }
}
