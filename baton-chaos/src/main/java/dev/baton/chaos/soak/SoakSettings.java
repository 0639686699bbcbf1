package dev.baton.chaos.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A long run. Immutable.
 *
 * @param store a name, or an address
 * @param faults names of faults, or beginnings of names
 * @param length how long clients work
 * @param rate how often all callers together ask for a lock, in a second
 * @param faultEvery how often a fault happens
 * @param seed decides all that is random
 * @param clients the number of JVMs
 * @param threads the number of callers in each
 * @param leaseTime of all locks
 * @param directory where the run writes its files
 */
public record SoakSettings(
        String store,
        List<String> faults,
        Duration length,
        double rate,
        Duration faultEvery,
        long seed,
        int clients,
        int threads,
        Duration leaseTime,
        Path directory) {
    /** How often everything is measured. */
    static final Duration SAMPLE_EVERY = Duration.ofSeconds(10);

    /** Locks of its own that each caller has. */
    static final int NAMES = 10;

    private static final Duration MOST_WARM_UP = Duration.ofMinutes(5);
    private static final int PART = 4;

    /** A process that has not run for so long still loads classes, compiles and fills caches: it is not measured. */
    Duration warmUp() {
        Duration part = length.dividedBy(PART);
        return part.compareTo(MOST_WARM_UP) < 0 ? part : MOST_WARM_UP;
    }
}
