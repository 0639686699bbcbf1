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
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.data.Range;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.svg.SVGGraphics2D;

/**
 * Draws the results as SVG, to scale: both axes are linear or logarithmic, and a line has a point only for a measured
 * value. The subtitles name the versions, and the points that were not measured.
 *
 * @param results the results to draw
 * @param conditions the conditions under which they were measured
 */
record Charts(Results results, Conditions conditions) {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final float LINE = 2;
    private static final int TITLE_SIZE = 16;
    private static final Font NOTES = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    private static final double MICROS = 1e3;
    private static final double PERCENT = 100;
    private static final double DECADE = 10;
    private static final double DOUBLE = 2;
    /** The distance between the outermost points and the frame, as a factor. */
    private static final double MARGIN = 1.2;

    private static final Figure COST = new Figure(
            "cost",
            "Cost of a hand-over on Redis",
            Rows.CROWDS,
            "clients that want the lock, one thread each",
            Trial::clients,
            List.of(Contestants.BATON, Contestants.RLOCK, Contestants.RFAIRLOCK));

    private static final Figure RATE = new Figure(
            "rate",
            "Threads with locks of their own on Redis",
            Rows.OWN_LOCKS,
            "threads of one client",
            Trial::threads,
            List.of(Contestants.BATON, Contestants.RLOCK, Contestants.RAW_JEDIS));

    /** The points N of the axis: one caller in N waited longer. A point needs at least N waits. */
    private static final int[] ONE_IN = {2, 4, 10, 20, 100, 1_000};

    private static final int LAST_ONE_IN = ONE_IN[ONE_IN.length - 1];

    /**
     * One chart.
     *
     * @param name the name of its file, without the extension
     * @param drawing the chart to draw
     */
    record Chart(String name, JFreeChart drawing) {}

    /**
     * Trials that differ in one number, which is on the axis; a line joins the figures of a contestant.
     *
     * @param name the beginning of the names of files
     * @param words its title
     * @param trials the trials, in the order of the axis
     * @param axis what differs between them
     * @param across the number on the axis
     * @param shown whose lines are drawn
     */
    private record Figure(
            String name,
            String words,
            List<Trial> trials,
            String axis,
            ToIntFunction<Trial> across,
            List<Contestant> shown) {}

    /** The palette of Okabe and Ito, which colour-blind readers can tell apart. */
    private static final List<Color> COLORS = List.of(
            new Color(0x0072B2),
            new Color(0xD55E00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0xE69F00),
            new Color(0x56B4E9),
            new Color(0x000000));

    /**
     * Writes all charts as SVG files.
     *
     * @param directory the directory of the files; created if it is missing
     * @return the files
     */
    List<Path> write(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Path> written = new ArrayList<>();
        for (Chart chart : all()) {
            SVGGraphics2D svg = new SVGGraphics2D(WIDTH, HEIGHT);
            chart.drawing.draw(svg, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
            Path file = directory.resolve(chart.name + ".svg");
            Files.writeString(file, svg.getSVGDocument());
            written.add(file);
        }
        return written;
    }

    List<Chart> all() {
        List<Chart> charts = new ArrayList<>();
        results.trials().keySet().forEach(trial -> waits(trial).ifPresent(charts::add));
        Stream.of(Metric.COMMANDS, Metric.CPU)
                .forEach(metric -> lines(COST, metric).ifPresent(charts::add));
        lines(RATE, Metric.RATE).ifPresent(charts::add);
        return charts;
    }

    /** Draws how long callers waited; empty if there are no waits. */
    private Optional<Chart> waits(Trial trial) {
        XYSeriesCollection lines = new XYSeriesCollection();
        List<String> missing = new ArrayList<>();
        for (Contestant contestant : results.wanted(trial)) {
            Histogram waits = results.waits(trial, contestant);
            long count = waits.getTotalCount();
            if (count == 0) {
                missing.add(contestant.name());
                continue;
            }
            if (count < LAST_ONE_IN) {
                missing.add("%s beyond 1 in %,d (it had so many waits)".formatted(contestant.name(), count));
            }
            lines.addSeries(line(contestant.name(), waits));
        }
        if (lines.getSeriesCount() == 0) {
            return Optional.empty();
        }
        ValueAxis across = log("one caller in so many waited longer", DECADE, decades(lines.getDomainBounds(false)));
        ValueAxis up = log("microseconds", DECADE, decades(lines.getRangeBounds(false)));
        List<String> titles = titles("Wait for the lock: " + trial.words(), results.wanted(trial), missing);
        return Optional.of(chart("wait-" + trial.title(), drawing(titles, across, up, lines)));
    }

    /** Returns the points of a contestant. The last point is the longest wait. */
    private static XYSeries line(String name, Histogram waits) {
        XYSeries line = new XYSeries(name);
        long count = waits.getTotalCount();
        for (int oneIn : ONE_IN) {
            if (oneIn < count) {
                line.add(oneIn, micros(waits.getValueAtPercentile(PERCENT - PERCENT / oneIn)));
            }
        }
        line.add((double) count, micros(waits.getMaxValue()));
        return line;
    }

    /** Converts to microseconds, at least a nanosecond because a logarithmic axis has no zero. */
    private static double micros(long nanos) {
        return Math.max(1, nanos) / MICROS;
    }

    /** Draws a metric of several trials; empty if fewer than two were run, or if there are no figures. */
    private Optional<Chart> lines(Figure figure, Metric metric) {
        List<Trial> trials =
                figure.trials.stream().filter(results.trials()::containsKey).toList();
        if (trials.size() < 2) {
            return Optional.empty();
        }
        XYSeriesCollection lines = new XYSeriesCollection();
        List<String> missing = new ArrayList<>();
        for (Contestant contestant : figure.shown) {
            XYSeries line = new XYSeries(contestant.name());
            for (Trial trial : trials) {
                int across = figure.across.applyAsInt(trial);
                double value = value(trial, contestant, metric);
                if (Double.isFinite(value)) {
                    line.add(across, value);
                } else {
                    missing.add(contestant.name() + " with " + across);
                }
            }
            if (line.getItemCount() > 0) {
                lines.addSeries(line);
            }
        }
        if (lines.getSeriesCount() == 0) {
            return Optional.empty();
        }
        Range numbers = lines.getDomainBounds(false);
        Range wider = new Range(numbers.getLowerBound() / MARGIN, numbers.getUpperBound() * MARGIN);
        ValueAxis across = log(figure.axis, DOUBLE, wider);
        List<String> titles = titles(figure.words + ": " + metric.words(), figure.shown, missing);
        return Optional.of(chart(
                figure.name + '-' + metric.unit(), drawing(titles, across, new NumberAxis(metric.words()), lines)));
    }

    /** The name of a file tells the distance. */
    private Chart chart(String name, JFreeChart drawing) {
        Distance distance = conditions.distance();
        return new Chart(slug(distance.isNone() ? name : name + " at " + distance.addedMillis() + " ms"), drawing);
    }

    private double value(Trial trial, Contestant contestant, Metric metric) {
        return results.contestants(trial).contains(contestant) ? results.median(trial, contestant, metric) : Double.NaN;
    }

    /** Returns the title, the versions of the libraries and servers, and the missing points. */
    private List<String> titles(String title, List<Contestant> contestants, List<String> missing) {
        Stream<String> servers = contestants.stream()
                .map(Contestant::home)
                .map(home -> home == Home.BATON ? Home.SERVER : home)
                .map(home -> conditions.servers().getOrDefault(home, ""));
        Stream<String> libraries = contestants.stream().map(Versions::of);
        String versions = Stream.of(libraries, servers, Stream.of(Versions.java()))
                .flatMap(each -> each)
                .filter(each -> !each.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        List<String> titles = new ArrayList<>(List.of(title, Lines.plain(versions)));
        if (!conditions.distance().isNone()) {
            titles.add(conditions.distance().words());
        }
        if (!missing.isEmpty()) {
            titles.add("not measured: " + String.join("; ", missing));
        }
        return titles;
    }

    /** Widens a range to whole powers of ten. */
    private static Range decades(Range range) {
        double least = Math.floor(Math.log10(range.getLowerBound()));
        double most = Math.ceil(Math.log10(range.getUpperBound()));
        return new Range(Math.pow(DECADE, least), Math.pow(DECADE, Math.max(most, least + 1)));
    }

    private static ValueAxis log(String title, double base, Range range) {
        LogAxis axis = new LogAxis(title);
        axis.setBase(base);
        axis.setRange(range);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(NumberFormat.getInstance(Locale.ROOT));
        axis.setMinorTickMarksVisible(true);
        return axis;
    }

    private static JFreeChart drawing(List<String> titles, ValueAxis across, ValueAxis up, XYSeriesCollection lines) {
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
        titles.stream().skip(1).forEach(note -> chart.addSubtitle(new TextTitle(note, NOTES)));
        chart.setBackgroundPaint(Color.WHITE);
        return chart;
    }

    private static String slug(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }
}
