package dev.baton;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The findings of {@link Admin#examine}. Immutable; maps are in the order in which to show them.
 *
 * @since 0.1
 */
public interface StoreReport {
    /**
     * Returns what Baton promises on a store of this kind.
     *
     * @return promises by title; {@code Store} is the kind's name
     */
    Map<String, String> promises();

    /**
     * Returns the properties that the store reports.
     *
     * @return facts by title, such as {@code version}
     */
    Map<String, String> facts();

    /**
     * Returns what should be changed.
     *
     * @return texts that name the problem, the risk and the remedy
     */
    List<String> warnings();

    /**
     * Returns how far the store's clock is ahead of this machine's. Leases are measured on the store's clock alone, so
     * a constant difference does no harm.
     *
     * @return the difference, negative if the store's clock is behind; empty if leases end with their client's session,
     *     and no clock of the store matters
     */
    Optional<Duration> clockDifference();

    /**
     * Returns how long each acquisition and each release took.
     *
     * @return the shortest first
     */
    List<Duration> roundTrips();
}
