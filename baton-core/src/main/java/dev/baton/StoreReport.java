package dev.baton;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an examination of a store found, for people. Immutable; maps are in the order in which to show them. */
public interface StoreReport {
    /**
     * Returns what Baton promises on a store of this kind.
     *
     * @return promises by title; {@code Store} is the kind's name
     */
    Map<String, String> promises();

    /**
     * Returns what this store says of itself.
     *
     * @return facts by title, such as {@code version}
     */
    Map<String, String> facts();

    /**
     * Returns what should be changed.
     *
     * @return for each, what it is, what may happen, and what to do
     */
    List<String> warnings();

    /**
     * Returns how far the store's clock is ahead of this machine's. Leases are measured on the store's clock alone, so a
     * constant difference does no harm.
     *
     * @return the difference, negative if the store's clock is behind; empty if leases end with their client's session, and
     *     no clock of the store matters
     */
    Optional<Duration> clockDifference();

    /**
     * Returns how long each acquisition and each release took.
     *
     * @return the shortest first
     */
    List<Duration> roundTrips();
}
