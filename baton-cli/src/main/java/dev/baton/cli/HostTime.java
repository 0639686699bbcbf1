package dev.baton.cli;

import java.time.Duration;
import java.time.Instant;

/**
 * This machine's clocks, for what people are told and for limits that they set. Nothing that keeps a lock safe goes by
 * them: that is the client's and the store's.
 */
public final class HostTime {
    private HostTime() {}

    /**
     * The time of day.
     *
     * @return by this machine's clock, which somebody may set
     */
    public static Instant now() {
        return Instant.now();
    }

    /** Time that runs from its start, however the clock is set. Immutable. */
    public static final class Stopwatch {
        private final long start = System.nanoTime();

        /**
         * How long it runs.
         *
         * @return not negative
         */
        public Duration elapsed() {
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }
}
