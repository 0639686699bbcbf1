package dev.baton.bench;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is printed in the end.
 *
 * @param results what was measured
 */
record Report(Results results) {
    String toJson() throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rows", results.rows().stream().map(this::rowJson).toList());
        json.put(
                "trials",
                results.trials().keySet().stream().map(this::trialJson).toList());
        return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(json);
    }

    private Map<String, @Nullable Object> rowJson(Row row) {
        Estimate estimate = results.estimate(row);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", row.id());
        json.put("what", row.what());
        json.put("ratio", number(estimate.value()));
        json.put("low", number(estimate.low()));
        json.put("high", number(estimate.high()));
        json.put("quoted", number(row.target().quoted(estimate)));
        json.put("bound", row.target().bound().sign());
        json.put("target", number(row.target().value()));
        json.put("verdict", verdict(row, estimate));
        return json;
    }

    private Map<String, Object> trialJson(Trial trial) {
        Map<String, Object> contestants = new LinkedHashMap<>();
        for (Contestant contestant : results.contestants(trial)) {
            Map<String, @Nullable Object> figures = new LinkedHashMap<>();
            Metric.ALL.stream()
                    .forEach(metric -> figures.put(metric.unit(), number(results.median(trial, contestant, metric))));
            contestants.put(contestant.name(), figures);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", trial.title());
        json.put("medians", contestants);
        return json;
    }

    /** JSON has no way to write what is not a number. */
    private static @Nullable Double number(double value) {
        return Double.isFinite(value) ? value : null;
    }

    String toText() {
        List<String> blocks = new ArrayList<>();
        results.trials().keySet().forEach(trial -> blocks.add(table(figures(trial))));
        blocks.add(table(comparisons()));
        return String.join("\n", blocks);
    }

    /** One line for each contestant; columns that nobody has a figure for are left out. */
    private List<List<String>> figures(Trial trial) {
        List<Contestant> contestants = results.contestants(trial);
        List<Metric> metrics = Metric.ALL.stream()
                .filter(metric -> contestants.stream()
                        .anyMatch(contestant -> !Double.isNaN(results.median(trial, contestant, metric))))
                .toList();
        List<List<String>> lines = new ArrayList<>();
        lines.add(line(trial.title(), metrics.stream().map(Metric::unit)));
        contestants.forEach(contestant -> lines.add(line(
                "  " + contestant.name(),
                metrics.stream().map(metric -> Figures.shortly(results.median(trial, contestant, metric))))));
        return lines;
    }

    private List<List<String>> comparisons() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("row", "value", "low", "high", "target", "verdict"));
        results.rows().forEach(row -> lines.add(comparison(row)));
        return lines;
    }

    private List<String> comparison(Row row) {
        Estimate estimate = results.estimate(row);
        return List.of(
                "%-16s %s".formatted(row.id(), row.what()),
                Figures.shortly(estimate.value()),
                Figures.shortly(estimate.low()),
                Figures.shortly(estimate.high()),
                row.target().isAny()
                        ? row.target().bound().sign() + " "
                                + Figures.shortly(row.target().value())
                        : "-",
                verdict(row, estimate));
    }

    private static String verdict(Row row, Estimate estimate) {
        return row.target().judge(estimate).name().toLowerCase(Locale.ROOT);
    }

    private static List<String> line(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others).toList();
    }

    /** The first column leans to the left, the others to the right. */
    private static String table(List<List<String>> lines) {
        int columns = lines.get(0).size();
        List<Integer> widths = IntStream.range(0, columns)
                .mapToObj(column -> lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElseThrow())
                .toList();
        return lines.stream()
                .map(line -> IntStream.range(0, columns)
                        .mapToObj(column -> pad(line.get(column), widths.get(column), column == 0))
                        .collect(Collectors.joining("  ", "", "\n")))
                .collect(Collectors.joining());
    }

    private static String pad(String text, int width, boolean left) {
        String space = " ".repeat(width - text.length());
        return left ? text + space : space + text;
    }
}
