package dev.baton.cli.cron;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.baton.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * The fire times of a cron expression in a time zone: five fields as in a crontab, or six, of which the first is for
 * seconds. Immutable and thread-safe.
 *
 * <p>When clocks are set forward, a time of day that is skipped fires once, later by as much as the clocks jumped. When
 * they are set back, a time of day that is repeated fires at its first occurrence only. Expressions that begin their
 * minutes or hours with {@code *} mean intervals, not times of day: they lose the skipped hour, and fire in both of the
 * repeated ones.
 *
 * <p>The library computes only with fixed offsets. In a zone, its answer about a repeated hour depends on the instant
 * that it is asked for, so that two clients would not agree on the fire times; and it drops times of day that are skipped.
 */
public final class CronSchedule implements Schedule {
    private static final int FIELDS_WITH_SECONDS = 6;
    private static final int FIELDS_BEFORE_DAYS = 3;
    private static final String NO_NEED = "Failed to parse cron expression. ";

    private static final CronDefinition MINUTES = CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX);
    private static final CronDefinition SECONDS = withSeconds();

    private final String expression;
    private final ZoneId zone;
    private final ExecutionTime times;
    private final boolean timesOfDay;

    private CronSchedule(String expression, ZoneId zone, Cron cron) {
        this.expression = expression;
        this.zone = zone;
        this.times = ExecutionTime.forCron(cron);
        this.timesOfDay = areTimesOfDay(expression.split(" "));
    }

    /** The definition of a crontab, and seconds. */
    private static CronDefinition withSeconds() {
        return CronDefinitionBuilder.defineCron()
                .withSeconds()
                .withValidRange(0, 59)
                .withStrictRange()
                .and()
                .withMinutes()
                .withValidRange(0, 59)
                .withStrictRange()
                .and()
                .withHours()
                .withValidRange(0, 23)
                .withStrictRange()
                .and()
                .withDayOfMonth()
                .withValidRange(1, 31)
                .withStrictRange()
                .and()
                .withMonth()
                .withValidRange(1, 12)
                .withStrictRange()
                .and()
                .withDayOfWeek()
                .withValidRange(0, 7)
                .withMondayDoWValue(1)
                .withIntMapping(7, 0)
                .withStrictRange()
                .and()
                .instance();
    }

    private static boolean areTimesOfDay(String[] fields) {
        int hours = fields.length == FIELDS_WITH_SECONDS ? FIELDS_BEFORE_DAYS - 1 : FIELDS_BEFORE_DAYS - 2;
        return !fields[hours].startsWith("*") && !fields[hours - 1].startsWith("*");
    }

    /**
     * Reads an expression.
     *
     * @param expression five fields (minute, hour, day of the month, month, day of the week), or a second before them
     * @param zone whose time of day it means
     * @return the schedule
     * @throws IllegalArgumentException if the expression is wrong, or never fires
     */
    public static CronSchedule of(String expression, ZoneId zone) {
        String fields = expression.strip().replaceAll("\\s+", " ");
        CronDefinition definition = fields.split(" ").length == FIELDS_WITH_SECONDS ? SECONDS : MINUTES;
        CronSchedule schedule = new CronSchedule(fields, zone, parse(fields, definition));
        if (schedule.next(Instant.EPOCH).isEmpty()) {
            throw new IllegalArgumentException("the cron expression \"" + fields
                    + "\" never fires: no month that it names has the day that it names; change the third or the fourth"
                    + " field");
        }
        return schedule;
    }

    private static Cron parse(String fields, CronDefinition definition) {
        try {
            return new CronParser(definition).parse(fields).validate();
        } catch (IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage()).replace(NO_NEED, "");
            throw new IllegalArgumentException(
                    "the cron expression \"" + fields + "\" is wrong (" + why
                            + "): write minute, hour, day of the month, month and day of the week, as in \"30 3 * * MON-FRI\","
                            + " or six fields with the second first",
                    e);
        }
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return from(after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1));
    }

    /** Returns the first fire time that is not before a whole second. */
    private Optional<Instant> from(Instant at) {
        ZoneRules rules = zone.getRules();
        Optional<Instant> found = corrected(at, rules);
        ZoneOffsetTransition coming = rules.nextTransition(at);
        boolean certain = found.isEmpty() || coming == null || found.get().isBefore(coming.getInstant());
        return certain ? found : from(coming.getInstant());
    }

    /** Takes the last change of the clocks into account, but not the next one. */
    private Optional<Instant> corrected(Instant at, ZoneRules rules) {
        ZoneOffset offset = rules.getOffset(at);
        Optional<Instant> found = from(at, offset);
        ZoneOffsetTransition last = rules.previousTransition(at.plusSeconds(1));
        if (!timesOfDay || last == null) {
            return found;
        }
        Instant end = last.getInstant().plus(last.getDuration().abs());
        if (!at.isBefore(end)) {
            return found;
        }
        if (last.isOverlap()) {
            return from(end, offset);
        }
        Optional<Instant> skipped = from(at, last.getOffsetBefore()).filter(time -> time.isBefore(end));
        return skipped.filter(time -> found.isEmpty() || time.isBefore(found.get()))
                .or(() -> found);
    }

    private Optional<Instant> from(Instant at, ZoneOffset offset) {
        return times.nextExecution(at.minusSeconds(1).atZone(offset)).map(ZonedDateTime::toInstant);
    }

    @Override
    public String toString() {
        return "cron \"" + expression + "\" in " + zone;
    }
}
