package dev.baton.cli.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a cron expression fires, above all on the days on which clocks are set. */
class CronScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId UTC = ZoneId.of("UTC");

    /** The instants of a schedule from one time to another one; the times are written with their offsets. */
    private static List<Instant> fired(String expression, ZoneId zone, String from, String until) {
        List<Instant> fired = new ArrayList<>();
        CronSchedule schedule = CronSchedule.of(expression, zone);
        Instant end = OffsetDateTime.parse(until).toInstant();
        Instant at = OffsetDateTime.parse(from).toInstant();
        while (true) {
            Instant next = schedule.next(at).orElseThrow();
            assertThat(next).isAfter(at);
            if (next.isAfter(end)) {
                return fired;
            }
            fired.add(next);
            at = next;
        }
    }

    private static List<Instant> times(String texts) {
        return Stream.of(texts.split(" "))
                .map(text -> OffsetDateTime.parse(text).toInstant())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30 3 * * MON-FRI | 2026-11-27T03:30Z 2026-11-30T03:30Z
            30 3 * * 5       | 2026-11-27T03:30Z
            30 3 * * 0       | 2026-11-29T03:30Z
            30 3 * * 7       | 2026-11-29T03:30Z
            30 3 29 * fri    | 2026-11-27T03:30Z 2026-11-29T03:30Z
            0 */12 28,30 * * | 2026-11-28T00:00Z 2026-11-28T12:00Z 2026-11-30T00:00Z 2026-11-30T12:00Z
            0 0 1 DEC *      | 2026-12-01T00:00Z
            15 0 0 1 12 *    | 2026-12-01T00:00:15Z
            """)
    void fields_areThoseOfACrontab_andSecondsMayComeFirst(String expression, String times) {
        assertThat(fired(expression, UTC, "2026-11-27T00:00Z", "2026-12-01T00:01Z"))
                .isEqualTo(times(times));
    }

    /** At 02:00 clocks in Berlin are set to 03:00. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30 2 * * *    | 2026-03-29T03:30+02:00
            0 3 * * *     | 2026-03-29T03:00+02:00
            30 1,2,3 * * * | 2026-03-29T01:30+01:00 2026-03-29T03:30+02:00
            0 2,4 * * *   | 2026-03-29T03:00+02:00 2026-03-29T04:00+02:00
            */30 * * * *  | 2026-03-29T01:00+01:00 2026-03-29T01:30+01:00 2026-03-29T03:00+02:00 2026-03-29T03:30+02:00 2026-03-29T04:00+02:00
            20 * * * *    | 2026-03-29T01:20+01:00 2026-03-29T03:20+02:00
            */20 2 * * *  |
            """)
    void timeThatIsSkipped_firesOnceLater_butIntervalsGoOn(String expression, String times) {
        assertThat(fired(expression, BERLIN, "2026-03-29T00:59+01:00", "2026-03-29T04:00+02:00"))
                .isEqualTo(times == null ? List.of() : times(times));
    }

    /** At 03:00 clocks in Berlin are set back to 02:00. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30 2 * * *    | 2026-10-25T02:30+02:00
            0 2 * * 0     | 2026-10-25T02:00+02:00
            0 3 * * *     | 2026-10-25T03:00+01:00
            0 2,3 * * *   | 2026-10-25T02:00+02:00 2026-10-25T03:00+01:00
            0 * * * *     | 2026-10-25T02:00+02:00 2026-10-25T02:00+01:00 2026-10-25T03:00+01:00
            */40 2 * * *  | 2026-10-25T02:00+02:00 2026-10-25T02:40+02:00 2026-10-25T02:00+01:00 2026-10-25T02:40+01:00
            """)
    void timeThatIsRepeated_firesOnce_butIntervalsGoOn(String expression, String times) {
        assertThat(fired(expression, BERLIN, "2026-10-25T01:30+02:00", "2026-10-25T03:00+01:00"))
                .isEqualTo(times(times));
    }

    /** Clients that begin at different moments must agree. The library alone does not: in the repeated hour, it depends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "30 2 * * *",
                "0 2 * * 0",
                "*/7 * * * *",
                "0 * * * *",
                "15 2,3 * * *",
                "7 1-3 * * *",
                "10 */5 * * * *"
            })
    void fireTimes_areTheSame_whateverInstantIsAskedFor(String expression) {
        CronSchedule schedule = CronSchedule.of(expression, BERLIN);
        for (String day : List.of("2026-03-29T00:00:00Z", "2026-10-24T23:00:00Z")) {
            Instant start = Instant.parse(day);
            Instant before = schedule.next(start).orElseThrow();
            for (int seconds = 1; seconds < 4 * 3_600; seconds += 29) {
                Instant at = start.plusSeconds(seconds).plusMillis(seconds % 1_000);
                Instant next = schedule.next(at).orElseThrow();
                assertThat(next).isAfter(at).isAfterOrEqualTo(before);
                assertThat(next.equals(before) || !before.isAfter(at))
                        .as("%s: after %s comes %s, before it was %s", expression, at, next, before)
                        .isTrue();
                before = next;
            }
        }
    }

    @Test
    void fireTimes_areWholeSeconds() {
        CronSchedule schedule = CronSchedule.of("* * * * * *", UTC);
        assertThat(schedule.next(Instant.parse("2026-11-27T00:00:03.5Z")))
                .contains(Instant.parse("2026-11-27T00:00:04Z"));
        assertThat(schedule.next(Instant.parse("2026-11-27T00:00:04Z")))
                .contains(Instant.parse("2026-11-27T00:00:05Z"));
    }

    @Test
    void rareDay_isFound() {
        Instant leapDay = LocalDateTime.parse("2028-02-29T05:00").atZone(BERLIN).toInstant();
        CronSchedule schedule = CronSchedule.of("0 5 29 2 *", BERLIN);
        assertThat(schedule.next(Instant.parse("2026-01-01T00:00:00Z"))).contains(leapDay);
        assertThat(schedule.next(leapDay))
                .contains(LocalDateTime.parse("2032-02-29T05:00").atZone(BERLIN).toInstant());
        assertThat(Duration.between(leapDay, schedule.next(leapDay).orElseThrow()))
                .isGreaterThan(Duration.ofDays(1_000));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 0 30 2 *    | never fires: no month that it names has the day that it names; change
            0 0 31 4,6 *  | never fires
            0 24 * * *    | Value 24 not in range [0, 23]): write minute, hour
            0 3 * *       | contains 4 parts
            '    '        | Empty
            x y z a b     | "x y z a b" is wrong
            0 3 L * *     | is wrong
            */0 * * * *   | is wrong
            @daily        | is wrong
            """)
    void wrongExpression_isRefused_sayingWhatToWrite(String expression, String said) {
        assertThatThrownBy(() -> CronSchedule.of(expression, UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }
}
