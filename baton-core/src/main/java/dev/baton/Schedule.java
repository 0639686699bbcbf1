package dev.baton;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Says at which times a job is due. All clients of a job must use the same schedule: the same instants in
 * every time zone and by every clock. Implementations are immutable and thread-safe, and have a {@code toString} for messages.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Schedule {
    /**
     * Returns the first fire time after an instant.
     *
     * @param after the instant; the same one gives always the same answer
     * @return a later instant; empty if there is none any more
     */
    Optional<Instant> next(Instant after);

    /**
     * Returns a schedule with a fixed period: its fire times are the multiples of the period since the epoch,
     * 1970-01-01T00:00Z, so that all clients agree on them.
     *
     * @param period at least one second, in whole milliseconds
     * @return the schedule
     * @throws IllegalArgumentException if the period is shorter than a second, or has parts of a millisecond
     */
    static Schedule every(Duration period) {
        Objects.requireNonNull(period, "period");
        if (period.compareTo(Duration.ofSeconds(1)) < 0 || period.toNanos() % 1_000_000 != 0) {
            throw new IllegalArgumentException(
                    "the period must be at least one second, in whole milliseconds, but is " + period);
        }
        long millis = period.toMillis();
        return new Schedule() {
            @Override
            public Optional<Instant> next(Instant after) {
                long periods = Math.floorDiv(after.toEpochMilli(), millis) + 1;
                return Optional.of(Instant.ofEpochMilli(periods * millis));
            }

            @Override
            public String toString() {
                return "every " + period;
            }
        };
    }
}
