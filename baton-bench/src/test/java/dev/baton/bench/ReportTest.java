package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.list;
import static org.assertj.core.api.InstanceOfAssertFactories.map;

import com.fasterxml.jackson.jr.ob.JSON;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {
    private static final Load IDLE = new Load(0, 0.01, 0, 54);
    private static final Load BUSY = new Load(0.2, 0.34, 7, 54);

    private static Report report(Results results, Load load) {
        return report(results, load, Lines.USUAL_WIDTH);
    }

    private static Report report(Results results, Load load, int width) {
        return new Report(results, Samples.conditions(load, 2), new Lines(width));
    }

    /** Returns results of these rows in which each contestant has the given rate in each round. */
    private static Results results(List<Row> rows, Map<Contestant, List<Integer>> rates) {
        Map<Trial, Map<Contestant, List<Sample>>> trials = new LinkedHashMap<>();
        for (Row row : rows) {
            Map<Contestant, List<Sample>> samples = trials.computeIfAbsent(row.trial(), any -> new LinkedHashMap<>());
            row.contestants().stream()
                    .filter(rates::containsKey)
                    .forEach(each -> samples.put(
                            each, rates.get(each).stream().map(Samples::ofRate).toList()));
        }
        return new Results(rows, trials);
    }

    /** Returns all rows, with figures of the greatest width. */
    private static Results everything() {
        List<Integer> rates = List.of(12_345_678, 123_456);
        Map<Contestant, List<Integer>> all = new LinkedHashMap<>();
        Rows.ALL.forEach(row -> row.contestants().forEach(each -> all.put(each, rates)));
        return results(Rows.ALL, all);
    }

    @Test
    void row_saysInWordsWhatWasMeasured_andKeepsItsCode() {
        Row row = Rows.named("j.1x16");
        Results results = results(
                List.of(row),
                Map.of(Contestants.BATON_ZOOKEEPER, List.of(300, 300), Contestants.CURATOR_MUTEX, List.of(10, 10)));
        assertThat(report(results, IDLE).toText()).contains("""
                1 client, 16 threads, one lock, on ZooKeeper: operations per second against
                  Curator InterProcessMutex [j.1x16]
                  30.0 times (30.0 to 30.0): Baton is ahead; target at least 30.0: met
                """);
    }

    @Test
    void row_withoutAFigure_isSaidNotToBeMeasured() {
        Row row = Rows.named("f.rlock");
        Results results = results(List.of(row), Map.of(Contestants.BATON, List.of(300, 300)));
        assertThat(report(results, IDLE).toText()).containsIgnoringWhitespaces("Redisson RLock [f.rlock] not measured");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100})
    void line_fits_whateverTheRow(int width) {
        String text = report(everything(), BUSY, width).toText();
        assertThat(text)
                .containsIgnoringWhitespaces(
                        "Spring RedisLockRegistry (pub/sub)", "RedisLockRegistry, pub/sub", "unevenness")
                .doesNotContain("" + Lines.GLUE);
        assertThat(text.lines()).allMatch(line -> line.length() <= width);
    }

    @Test
    void words_tellRowsApart_andNeedNoCodes() {
        assertThat(Rows.ALL).extracting(Row::words).doesNotHaveDuplicates();
        assertThat(Rows.ALL.stream().map(Row::words))
                .as("neither codes, such as 16 x 1, nor units, such as ops/s")
                .noneMatch(words -> words.matches(".*\\d x \\d.*|.*ops?/.*|.*/op.*"));
    }

    @Test
    void row_isInBothForms() throws Exception {
        Report report = report(everything(), IDLE);
        assertThat(JSON.std.mapFrom(report.toJson()).get("rows"))
                .asInstanceOf(list(Map.class))
                .extracting(row -> row.get("name"))
                .containsExactlyElementsOf(
                        Rows.ALL.stream().<Object>map(Row::id).toList());
        assertThat(report.toText())
                .contains(Rows.ALL.stream().map(row -> "[" + row.id() + "]").toList());
    }

    @Test
    void standing_isTold_byWhichEndOfAMetricIsTheGoodOne() {
        Estimate more = new Estimate(2, 1.5, 3);
        Estimate less = new Estimate(0.5, 0.4, 0.9);
        assertThat(Standing.of(Metric.RATE, more)).isEqualTo(Standing.AHEAD);
        assertThat(Standing.of(Metric.RATE, less)).isEqualTo(Standing.BEHIND);
        assertThat(Standing.of(Metric.CPU, more)).isEqualTo(Standing.BEHIND);
        assertThat(Standing.of(Metric.CPU, less)).isEqualTo(Standing.AHEAD);
        assertThat(Standing.of(Metric.RATE, new Estimate(1.5, 0.9, 2))).isEqualTo(Standing.LEVEL);
        assertThat(Standing.of(Metric.RATE, Estimate.ofValues(List.of(2.0)))).isEqualTo(Standing.UNKNOWN);
    }

    @Test
    void servers_andVersions_areTold() throws Exception {
        Report report = report(everything(), IDLE);
        assertThat(report.toText()).contains("On Redis 7.0.15, JDK " + Runtime.version());
        assertThat(JSON.std.mapFrom(report.toJson()).get("servers")).isEqualTo(List.of("Redis 7.0.15"));
    }

    @Test
    void distance_isTold_inBothForms() throws Exception {
        Conditions near = Samples.conditions(IDLE, 1);
        Distance distance = new Distance(Duration.ofMillis(1), Duration.ofNanos(1_130_000));
        Conditions far = new Conditions(near.pace(), near.load(), near.servers(), distance);
        Report report = new Report(everything(), far, new Lines(Lines.USUAL_WIDTH));
        assertThat(report.toText().replaceAll("\\s+", " "))
                .contains("a proxy adds 1.00 ms to each round trip; through it an echo takes 1.13 ms at the median");
        assertThat(JSON.std.mapFrom(report.toJson()).get("distance"))
                .isEqualTo(Map.of("addedMillis", 1.0, "echoMillis", 1.13));
        assertThat(report(everything(), IDLE).toText()).doesNotContain("distance");
    }

    @Test
    void report_endsWithThreeSentences() {
        String[] blocks = report(everything(), IDLE).toText().split("\n\n", -1);
        assertThat(blocks[blocks.length - 1].strip().split("(?<=\\.)\\s+(?=[A-Z])", -1))
                .hasSize(3)
                .allMatch(sentence -> sentence.endsWith("."));
    }

    @Test
    void settings_areTold_withVersions_andAPoolThatWasCutIsSaid() throws Exception {
        String crowded = textOf(Trial.oneLock(16, 4));
        assertThat(crowded)
                .containsIgnoringWhitespaces(
                        "Redisson RLock, each of several clients: redisson 4.",
                        "pool of 4 connections, 2 for subscriptions (cut down",
                        "by default 16 threads, 32 Netty threads, pool of 64 connections, 50 for subscriptions",
                        "watchdog 30 s");
        assertThat(textOf(Trial.oneLock(1, 4)))
                .containsIgnoringWhitespaces("Redisson RLock, one client: redisson 4.", "pool of 64 connections")
                .doesNotContain("cut down");
        assertThat(JSON.std.mapFrom(report(everything(), IDLE).toJson()).get("settings"))
                .asInstanceOf(map(String.class, String.class))
                .containsKeys("Redisson RLock, one client", "Redisson RLock, each of several clients", "jetcd Lock")
                .containsEntry("ShedLock with Jedis", SHED_LOCK);
    }

    private static final String SHED_LOCK = "shedlock-provider-redis-jedis4 5.12.0, jedis 8.0.2; pool of 8 connections"
            + " (the default of Jedis), a lock expires after 30 s and is not renewed";

    @Test
    void setup_ofEachContestant_isSaid() {
        assertThat(Rows.ALL.stream().flatMap(row -> row.contestants().stream())).allSatisfy(each -> {
            assertThat(each.setup().alone()).as(each.name()).isNotEmpty();
            assertThat(Versions.of(each)).as(each.name()).containsPattern("\\d|this.checkout");
        });
    }

    private static String textOf(Trial trial) {
        List<Sample> samples = Stream.of(1).map(Samples::ofRate).toList();
        return report(new Results(List.of(), Map.of(trial, Map.of(Contestants.RLOCK, samples))), IDLE)
                .toText();
    }
}
