package dev.baton.chaos.fault;

import java.time.Duration;
import java.util.SplittableRandom;

/** How far clocks are set. */
final class Steps {
    private static final double LONGEST_SECONDS = 3_600;
    private static final double NANOS_PER_SECOND = 1e9;

    private Steps() {}

    /** Returns a second to an hour: each order of magnitude is as likely as the others. */
    static Duration any(SplittableRandom random) {
        return Duration.ofNanos((long) (NANOS_PER_SECOND * Math.pow(LONGEST_SECONDS, random.nextDouble())));
    }
}
