package dev.baton.bench.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * When a job is due: at a first time, and at all multiples of a period before and after it.
 *
 * @param first one of the times, in whole seconds
 * @param period a day, or whole seconds that divide a minute
 */
record Times(Instant first, Duration period) {
    private static final Duration DAY = Duration.ofDays(1);

    /** Returns times within each minute. */
    static Times every(Duration period) {
        return new Times(Instant.EPOCH, period);
    }

    /** Returns one time a day. */
    static Times daily(Instant time) {
        return new Times(time, DAY);
    }

    /** Returns the first of the times after an instant. */
    Optional<Instant> next(Instant after) {
        long periods = Math.floorDiv(after.toEpochMilli() - first.toEpochMilli(), period.toMillis()) + 1;
        return Optional.of(first.plus(period.multipliedBy(periods)));
    }

    /** Returns whether an instant is one of the times. */
    boolean has(Instant time) {
        return next(time.minusMillis(1)).orElseThrow().equals(time);
    }

    /** Counts the times after the one instant, up to the other. */
    int between(Instant after, Instant until) {
        int count = 0;
        for (Instant time = next(after).orElseThrow();
                !time.isAfter(until);
                time = next(time).orElseThrow()) {
            count++;
        }
        return count;
    }

    /** Returns the same times in UTC as Spring's six fields. */
    String cron() {
        if (!period.equals(DAY)) {
            return "0/" + period.toSeconds() + " * * * * *";
        }
        OffsetDateTime time = first.atOffset(ZoneOffset.UTC);
        return time.getSecond() + " " + time.getMinute() + " " + time.getHour() + " * * *";
    }
}
