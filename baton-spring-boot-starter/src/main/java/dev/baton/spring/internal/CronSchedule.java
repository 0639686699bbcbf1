package dev.baton.spring.internal;

import dev.baton.Schedule;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.TimeZone;
import org.springframework.scheduling.support.CronExpression;

/**
 * The fire times of a cron expression of Spring, in a time zone. Immutable.
 *
 * @param expression the expression
 * @param zone in which it is read
 */
record CronSchedule(CronExpression expression, ZoneId zone) implements Schedule {
    /**
     * Reads a schedule.
     *
     * @param zone an identifier; empty for the zone of the JVM
     * @throws IllegalArgumentException if one of them cannot be read
     */
    static CronSchedule of(String cron, String zone) {
        return new CronSchedule(expression(cron), zone(zone));
    }

    private static CronExpression expression(String cron) {
        try {
            return CronExpression.parse(cron);
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "has a cron that cannot be read: \"" + cron + "\": " + unreadable.getMessage()
                            + "; write six fields from seconds to days of the week, as \"0 0 3 * * *\"",
                    unreadable);
        }
    }

    private static ZoneId zone(String zone) {
        if (zone.isEmpty()) {
            return TimeZone.getDefault().toZoneId();
        }
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "has an unknown zone: \"" + zone + "\"; write Europe/Berlin, UTC or +02:00", unknown);
        }
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return Optional.ofNullable(expression.next(after.atZone(zone))).map(ZonedDateTime::toInstant);
    }

    @Override
    public String toString() {
        return "cron " + expression + " in " + zone;
    }
}
