package dev.baton.cli.console;

import java.time.Duration;
import java.time.Instant;

/**
 * This machine's clocks, for times that users see and limits that they set. Nothing that keeps a lock safe uses them:
 * that is the task of the client and the store.
 */
public final class HostTime {
    private HostTime() {}

    /**
     * Returns the time of day.
     *
     * @return by this machine's clock, which may be set at any time
     */
    public static Instant now() {
        return Instant.now();
    }

    /** Measures elapsed time from its start, even if the clock is set meanwhile. Immutable. */
    public static final class Stopwatch {
        private final long start = System.nanoTime();

        /**
         * Returns how long it has been running.
         *
         * @return not negative
         */
        public Duration elapsed() {
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }
}
