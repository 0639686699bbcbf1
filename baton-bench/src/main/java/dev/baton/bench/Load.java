package dev.baton.bench;

import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * What else the machine has to do.
 *
 * @param average how many threads ran or wanted to run in the last minute; negative if the system does not say
 * @param processors how many could run
 */
record Load(double average, int processors) {
    /** From this share of the processors on, others take so much of them that a rate says little. */
    private static final double BUSY = 0.25;

    static Load now() {
        return new Load(
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    /** What to think of figures from such a machine; empty if there is nothing to say. */
    Optional<String> warning() {
        return average > BUSY * processors
                ? Optional.of(("The machine was busy before this run (load %s on %d processors): intervals are wider"
                                + " than on a quiet one, and rates lower.")
                        .formatted(Figures.shortly(average), processors))
                : Optional.empty();
    }
}
