package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.geom.Rectangle2D;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.data.xy.XYDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartsTest {
    private static final Rectangle2D AREA = new Rectangle2D.Double(0, 0, 700, 400);
    private static final List<Sample> SAMPLES = List.of(Samples.ofRate(1));

    private static List<Charts.Chart> charts(Map<Trial, Map<Contestant, List<Sample>>> trials, Row... rows) {
        return new Charts(new Results(List.of(rows), trials), Samples.conditions(new Load(0, 0, 0, 1), 3)).all();
    }

    private static String notes(JFreeChart chart) {
        List<String> notes = new ArrayList<>();
        chart.getSubtitles().stream()
                .filter(TextTitle.class::isInstance)
                .forEach(each -> notes.add(((TextTitle) each).getText()));
        return String.join("\n", notes);
    }

    private static double place(ValueAxis axis, double value) {
        return axis.valueToJava2D(value, AREA, RectangleEdge.BOTTOM);
    }

    private static List<Charts.Chart> crowds() {
        Map<Trial, Map<Contestant, List<Sample>>> trials = new LinkedHashMap<>();
        trials.put(Rows.CROWDS.get(0), Map.of(Contestants.BATON, SAMPLES, Contestants.RLOCK, SAMPLES));
        trials.put(Rows.CROWDS.get(1), Map.of(Contestants.BATON, SAMPLES));
        trials.put(Rows.CROWDS.get(3), Map.of(Contestants.BATON, SAMPLES));
        return charts(trials);
    }

    private static JFreeChart rates(Distance distance) {
        Map<Trial, Map<Contestant, List<Sample>>> trials = new LinkedHashMap<>();
        for (Trial trial : Rows.OWN_LOCKS) {
            Map<Contestant, List<Sample>> samples = new LinkedHashMap<>();
            samples.put(Contestants.BATON, List.of(Samples.ofRate(100 * trial.threads())));
            samples.put(Contestants.RAW_JEDIS, SAMPLES);
            trials.put(trial, samples);
        }
        Conditions near = Samples.conditions(new Load(0, 0, 0, 1), 3);
        List<Charts.Chart> all = new Charts(
                        new Results(List.of(), trials),
                        new Conditions(near.pace(), near.load(), near.servers(), distance))
                .all();
        assertThat(all)
                .singleElement()
                .extracting(Charts.Chart::name)
                .isEqualTo(distance.isNone() ? "rate-ops-s" : "rate-ops-s-at-1-0-ms");
        return all.get(0).drawing();
    }

    @Test
    void rates_areDrawnOverTheNumberOfThreads() {
        JFreeChart chart = rates(Distance.NONE);
        XYDataset points = chart.getXYPlot().getDataset();
        assertThat(points.getSeriesCount()).isEqualTo(2);
        assertThat(IntStream.range(0, points.getItemCount(0)).mapToDouble(i -> points.getXValue(0, i)))
                .containsExactly(1.0, 16.0, 64.0);
        assertThat(points.getYValue(0, 2) / points.getYValue(0, 0)).isCloseTo(64, within(0.01));
        assertThat(notes(chart)).contains("not measured: RLock with 1; RLock with 16; RLock with 64");
    }

    @Test
    void distance_isOnEachChart() {
        Distance far = new Distance(Duration.ofMillis(1), Duration.ofNanos(1_310_000));
        assertThat(notes(rates(far))).contains("a proxy adds 1.00 ms to each round trip");
        assertThat(notes(rates(Distance.NONE))).doesNotContain("proxy");
    }

    private static Sample waits(int count) {
        Sample sample = Samples.ofRate(count);
        IntStream.rangeClosed(1, count).forEach(i -> sample.waits().recordValue(1_000L * i));
        return sample;
    }

    @Test
    void costs_areDrawnToScale_fromZero_overTheNumberOfClients() {
        assertThat(crowds()).extracting(Charts.Chart::name).containsExactly("cost-commands-op", "cost-server-us-op");
        for (Charts.Chart chart : crowds()) {
            ValueAxis clients = chart.drawing().getXYPlot().getDomainAxis();
            assertThat(place(clients, 64) - place(clients, 4))
                    .as("four doublings beside one")
                    .isCloseTo(4 * (place(clients, 4) - place(clients, 2)), within(0.01));
            assertThat(chart.drawing().getXYPlot().getRangeAxis().getLowerBound())
                    .isZero();
            XYDataset points = chart.drawing().getXYPlot().getDataset();
            assertThat(IntStream.range(0, points.getItemCount(0)).mapToDouble(i -> points.getXValue(0, i)))
                    .containsExactly(2.0, 4.0, 64.0);
        }
    }

    @Test
    void costs_nameThePointsThatTheyLack_andDrawALonePoint(@TempDir Path directory) throws Exception {
        for (Charts.Chart chart : crowds()) {
            assertThat(notes(chart.drawing()))
                    .contains("not measured: RLock with 4; RLock with 64; RFairLock with 2; RFairLock with 4");
            assertThat(chart.drawing().getXYPlot().getDataset().getSeriesCount())
                    .as("Baton's line, and RLock's one point")
                    .isEqualTo(2);
        }
        Charts charts = new Charts(
                new Results(List.of(), Map.of(Rows.CROWDS.get(2), Map.of(Contestants.BATON, List.of(waits(5))))),
                Samples.conditions(new Load(0, 0, 0, 1), 3));
        List<Path> written = charts.write(directory);
        assertThat(written).extracting(Path::getFileName).hasToString("[wait-one-lock-16-x-1.svg]");
        assertThat(written.get(0)).content().contains("not measured: Baton beyond 1 in 5");
    }

    @Test
    void waits_areDrawnToScale_andNameWhatTheyLack() {
        Row row = Rows.named("d.16x1.rlock");
        Row failed = Rows.named("d.16x1.rfairlock");
        Map<Contestant, List<Sample>> samples = new LinkedHashMap<>();
        samples.put(Contestants.BATON, List.of(waits(20_000)));
        samples.put(Contestants.RLOCK, List.of(waits(300)));
        JFreeChart chart =
                charts(Map.of(row.trial(), samples), row, failed).get(0).drawing();
        assertThat(notes(chart)).contains("not measured: RLock beyond 1 in 300 (it had so many waits); RFairLock");
        ValueAxis across = chart.getXYPlot().getDomainAxis();
        assertThat(place(across, 1_000) - place(across, 10))
                .isCloseTo(2 * (place(across, 10) - place(across, 1)), within(0.01));
        XYDataset points = chart.getXYPlot().getDataset();
        assertThat(points.getXValue(0, 2)).isEqualTo(10);
        assertThat(points.getYValue(0, 2)).as("one in ten waited longer").isCloseTo(18_000, within(200.0));
        assertThat(IntStream.range(0, points.getItemCount(1)).mapToDouble(i -> points.getXValue(1, i)))
                .containsExactly(2.0, 4.0, 10.0, 20.0, 100.0, 300.0);
    }

    @Test
    void versions_ofLibrariesAndServer_areOnEachChart() {
        Row row = Rows.named("d.16x1.rlock");
        List<Charts.Chart> all = new ArrayList<>(crowds());
        all.addAll(charts(Map.of(row.trial(), Map.of(Contestants.RLOCK, List.of(waits(5)))), row));
        assertThat(all)
                .hasSize(3)
                .allSatisfy(chart -> assertThat(notes(chart.drawing()))
                        .contains("redisson 4.", "Redis 7.0.15", "JDK " + Runtime.version())
                        .doesNotContain("" + Lines.GLUE));
    }
}
