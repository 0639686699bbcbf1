package dev.baton.memcached;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The server's own statistics and settings that decide whether locks are safe there.
 *
 * @param stats its counters
 * @param settings the settings that it was started with
 */
record Facts(Map<String, String> stats, Map<String, String> settings) {
    private static final String UNKNOWN = "unknown";

    static Facts of(Server server, Deadline deadline) throws StoreFailure {
        return server.run(
                deadline,
                (session, time) -> new Facts(
                        Session.stats(session.wire(), "stats", time),
                        Session.stats(session.wire(), "stats settings", time)));
    }

    /** Returns values by short names, in the order in which to show them. */
    Map<String, String> forPeople() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("version", stats.getOrDefault("version", UNKNOWN));
        facts.put("up for", stats.getOrDefault("uptime", UNKNOWN) + " s");
        facts.put(
                "memory",
                stats.getOrDefault("bytes", UNKNOWN) + " of " + stats.getOrDefault("limit_maxbytes", UNKNOWN)
                        + " bytes");
        facts.put("evicts when full", evicts() ? "yes" : "no");
        facts.put("evicted so far", stats.getOrDefault("evictions", UNKNOWN));
        return facts;
    }

    /** Returns the risks: an eviction gives one lock to two holders. */
    List<String> warnings(String target) {
        return evicts()
                ? List.of("Memcached at " + target + " evicts items when its memory is full, locks among them, and an"
                        + " evicted lock can be taken by another at once: start it with -M, or give locks a server of"
                        + " their own")
                : List.of();
    }

    private boolean evicts() {
        return !"off".equals(settings.get("evictions"));
    }
}
