package dev.baton.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.chaos.client.Vitals;
import dev.baton.chaos.soak.Gauge.Reading;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A report names what grows, what is left over and what the register refused, and nothing else. */
class SoakReportTest {
    private static final double WARM_UP = 0.05;
    private static final Reading NOTHING = reading(0, 65);
    private static final Vitals LAST = new Vitals(6 << 20, 30, 100, 500, 2, 0);

    private final Series series = new Series(WARM_UP);

    private static Reading reading(double connections, double entries) {
        return new Reading("life", Map.of(Quantity.CONNECTIONS, connections, Quantity.ENTRIES, entries));
    }

    private SoakReport report(List<Vitals> last, Reading after) {
        SoakSettings settings = new SoakSettings(
                "redis",
                List.of("all"),
                Duration.ofMinutes(30),
                1_000,
                Duration.ofMinutes(1),
                1,
                3,
                4,
                Duration.ofSeconds(2),
                Path.of("."));
        return new SoakReport(
                settings, "Redis 7", Duration.ofMinutes(30), 1_800_000, last, List.of(), series, NOTHING, after);
    }

    /** Half an hour of measurements, of which each tenth of an hour has some threads more. */
    private void measured(double threadsInAnHour) {
        for (int i = 0; i < 180; i++) {
            double hours = i / 360.0;
            int threads = 30 + (int) (threadsInAnHour * hours);
            series.add("client 1", hours, new Vitals(6 << 20, threads, 100, 0, 0, 0));
            series.add(hours, reading(6, 65 + i % 3));
        }
    }

    @Test
    void runInWhichNothingGrows_hasNoDefect() {
        measured(0);
        SoakReport report = report(List.of(LAST), NOTHING);
        assertThat(report.defects()).isEmpty();
        assertThat(report.unclear()).isEmpty();
        assertThat(report.toText())
                .contains("1800000 holds in 1800 s", "1000/s", "2 exceptions")
                .contains("flat");
    }

    @Test
    void threadsThatBecomeMore_areADefect() {
        measured(60);
        SoakReport report = report(List.of(LAST), NOTHING);
        assertThat(report.defects()).containsExactly("threads of a client grows");
        assertThat(report.toText()).contains("DEFECT: threads of a client grows");
    }

    @Test
    void whatIsLeftAtTheServer_isADefect() {
        measured(0);
        assertThat(report(List.of(LAST), reading(1, 67)).defects())
                .containsExactly("2 more entries at the server", "1 more connections at the server");
        assertThat(report(List.of(LAST), Reading.NOTHING).defects()).contains("the server does not answer");
        assertThat(report(List.of(LAST), reading(0, 60)).defects()).isEmpty();
    }

    @Test
    void holdersThatTheRegisterRefused_areADefect() {
        measured(0);
        assertThat(report(List.of(LAST, new Vitals(1, 1, 1, 1, 0, 3)), NOTHING).defects())
                .containsExactly("the register refused 3 holders that still held the lock");
    }

    @Test
    void aProcessThatHasJustBegun_isNotMeasured() {
        series.add("client 1", 0, new Vitals(1 << 20, 1, 1, 0, 0, 0));
        series.add("client 1", WARM_UP, new Vitals(9 << 20, 1, 1, 0, 0, 0));
        series.add("client 2", WARM_UP, new Vitals(5 << 20, 1, 1, 0, 0, 0));
        assertThat(series.points().get(Quantity.HEAP))
                .extracting(Trend.Point::value)
                .containsExactly(9_216.0);
    }

    @Test
    void aShortRun_isUnclear() throws Exception {
        series.add("client 1", 0, LAST);
        series.add("client 1", WARM_UP, LAST);
        SoakReport report = report(List.of(LAST), NOTHING);
        assertThat(report.unclear()).contains("heap of a client after GC");
        assertThat(JSON.std.asString(report.toMap())).contains("\"plusMinus\":\"unknown\"");
    }
}
