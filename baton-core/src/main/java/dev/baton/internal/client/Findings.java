package dev.baton.internal.client;

import dev.baton.StoreReport;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A report that keeps the order of its maps. */
record Findings(
        Map<String, String> promises,
        Map<String, String> facts,
        List<String> warnings,
        Optional<Duration> clockDifference,
        List<Duration> roundTrips)
        implements StoreReport {

    /** Copies the mutable arguments. */
    Findings {
        promises = Collections.unmodifiableMap(new LinkedHashMap<>(promises));
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        warnings = List.copyOf(warnings);
        roundTrips = roundTrips.stream().sorted().toList();
    }
}
