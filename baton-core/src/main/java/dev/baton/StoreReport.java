package dev.baton;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an examination of a store found, for people. Immutable; maps are in the order in which to show them.
 *
 * @param promises what Baton promises on a store of this kind, by title; {@code Store} is its name
 * @param facts what this one says of itself, such as {@code version}
 * @param warnings what should be changed: what it is, what may happen, what to do
 * @param clockDifference how far the store's clock is ahead of this machine's; negative if it is behind. Leases are
 *     measured on the store's clock alone, so a constant difference does no harm. Null where they are measured on their
 *     client's own clock, and end with its session: no clock of the store's matters there
 * @param roundTrips how long each acquisition and each release took, the shortest first
 */
public record StoreReport(
        Map<String, String> promises,
        Map<String, String> facts,
        List<String> warnings,
        @Nullable Duration clockDifference,
        List<Duration> roundTrips) {

    /** Copies what may change. */
    public StoreReport {
        promises = Collections.unmodifiableMap(new LinkedHashMap<>(promises));
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        warnings = List.copyOf(warnings);
        roundTrips = roundTrips.stream().sorted().toList();
    }
}
