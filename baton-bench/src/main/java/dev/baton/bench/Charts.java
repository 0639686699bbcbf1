package dev.baton.bench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.svg.SVGGraphics2D;

/**
 * Pictures of what was measured, as SVG.
 *
 * @param results what was measured
 */
record Charts(Results results) {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final float LINE = 2;
    private static final int TITLE_SIZE = 16;
    private static final double MICROS = 1e3;
    private static final double BASE = 10;
    private static final List<Contestant> SHOWN = List.of(Contestants.BATON, Contestants.RLOCK, Contestants.RFAIRLOCK);
    private static final double[] PERCENTS = {50, 75, 90, 95, 99, 99.9, 100};
    private static final String[] PERCENT_NAMES = {"50 %", "75 %", "90 %", "95 %", "99 %", "99.9 %", "longest"};

    /** Told apart also by those who do not see all colours: Okabe and Ito's. */
    private static final List<Color> COLORS = List.of(
            new Color(0x0072B2),
            new Color(0xD55E00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0xE69F00),
            new Color(0x56B4E9),
            new Color(0x000000));

    /**
     * Writes them.
     *
     * @param directory where to; made if it is not there
     * @return what was written
     */
    List<Path> write(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Path> written = new ArrayList<>();
        for (Trial trial : results.trials().keySet()) {
            XYSeriesCollection waits = waits(trial);
            if (waits.getSeriesCount() > 0) {
                ValueAxis percents = new SymbolAxis("callers that waited no longer", PERCENT_NAMES);
                String title = "Wait for the lock: " + trial.title();
                written.add(write(
                        directory,
                        "wait-" + slug(trial.title()),
                        List.of(title),
                        percents,
                        decades("microseconds", waits),
                        waits));
            }
        }
        List<Trial> crowds =
                Rows.CROWDS.stream().filter(results.trials()::containsKey).toList();
        for (Metric metric : List.of(Metric.COMMANDS, Metric.CPU)) {
            XYSeriesCollection costs = costs(crowds, metric);
            if (crowds.size() > 1 && costs.getSeriesCount() > 0) {
                String[] numbers = crowds.stream()
                        .map(trial -> Integer.toString(trial.clients()))
                        .toArray(String[]::new);
                ValueAxis clients = new SymbolAxis("clients that want the lock, one thread each", numbers);
                String title = "Cost of a hand-over on Redis: " + metric.unit();
                ValueAxis up = new NumberAxis(metric.unit());
                String missing = missing(crowds, metric);
                String note = missing.isEmpty() ? "" : "not measured: " + missing;
                written.add(write(directory, "cost-" + slug(metric.unit()), List.of(title, note), clients, up, costs));
            }
        }
        return written;
    }

    private XYSeriesCollection waits(Trial trial) {
        XYSeriesCollection all = new XYSeriesCollection();
        for (Contestant contestant : results.contestants(trial)) {
            Histogram waits = results.waits(trial, contestant);
            if (waits.getTotalCount() > 0) {
                XYSeries series = new XYSeries(contestant.name());
                for (int i = 0; i < PERCENTS.length; i++) {
                    series.add(i, Math.max(1, waits.getValueAtPercentile(PERCENTS[i])) / MICROS);
                }
                all.addSeries(series);
            }
        }
        return all;
    }

    /** What a line of a chart leaves out, for those who would take it for a trend; empty if nothing is left out. */
    private String missing(List<Trial> crowds, Metric metric) {
        return SHOWN.stream()
                .flatMap(contestant -> crowds.stream()
                        .filter(trial -> !Double.isFinite(cost(trial, contestant, metric)))
                        .map(trial -> contestant.name() + " with " + trial.clients()))
                .collect(Collectors.joining(", "));
    }

    private double cost(Trial trial, Contestant contestant, Metric metric) {
        return results.contestants(trial).contains(contestant) ? results.median(trial, contestant, metric) : Double.NaN;
    }

    /** Against the number of clients; lines of one point are none. */
    private XYSeriesCollection costs(List<Trial> crowds, Metric metric) {
        XYSeriesCollection all = new XYSeriesCollection();
        for (Contestant contestant : SHOWN) {
            XYSeries series = new XYSeries(contestant.name());
            for (int i = 0; i < crowds.size(); i++) {
                double cost = cost(crowds.get(i), contestant, metric);
                if (Double.isFinite(cost)) {
                    series.add(i, cost);
                }
            }
            if (series.getItemCount() > 1) {
                all.addSeries(series);
            }
        }
        return all;
    }

    /** From the power of ten below all to the one above. */
    private static ValueAxis decades(String unit, XYSeriesCollection lines) {
        LogAxis axis = new LogAxis(unit);
        double least = Math.floor(Math.log10(lines.getRangeLowerBound(false)));
        double most = Math.ceil(Math.log10(lines.getRangeUpperBound(false)));
        axis.setRange(Math.pow(BASE, least), Math.pow(BASE, Math.max(most, least + 1)));
        axis.setTickUnit(new NumberTickUnit(1, NumberFormat.getInstance(Locale.ROOT)));
        axis.setMinorTickMarksVisible(true);
        return axis;
    }

    private static Path write(
            Path directory, String name, List<String> titles, ValueAxis across, ValueAxis up, XYSeriesCollection lines)
            throws IOException {
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
        for (int i = 0; i < lines.getSeriesCount(); i++) {
            renderer.setSeriesPaint(i, COLORS.get(i % COLORS.size()));
            renderer.setSeriesStroke(i, new BasicStroke(LINE));
        }
        XYPlot plot = new XYPlot(lines, across, up, renderer);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
        plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
        JFreeChart chart = new JFreeChart(null, JFreeChart.DEFAULT_TITLE_FONT, plot, true);
        chart.setTitle(new TextTitle(titles.get(0), new Font(Font.SANS_SERIF, Font.BOLD, TITLE_SIZE)));
        titles.stream().skip(1).filter(note -> !note.isEmpty()).forEach(note -> chart.addSubtitle(new TextTitle(note)));
        chart.setBackgroundPaint(Color.WHITE);
        SVGGraphics2D svg = new SVGGraphics2D(WIDTH, HEIGHT);
        chart.draw(svg, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        Path file = directory.resolve(name + ".svg");
        Files.writeString(file, svg.getSVGDocument());
        return file;
    }

    private static String slug(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }
}
