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
 * What is printed in the end, at most {@value #WIDTH} columns wide.
 *
 * @param results what was measured
 * @param machine what the machine had to do before anything was started
 */
record Report(Results results, Load machine) {
    private static final int WIDTH = 80;
    private static final String GAP = "  ";

    String toJson() throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("load", number(machine.average()));
        json.put("processors", machine.processors());
        json.put("reduced", reduced());
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
        results.rows().forEach(row -> blocks.add(comparison(row)));
        reduced().forEach((contestant, how) -> blocks.add(wrapped(contestant + ", each of several clients: " + how)));
        machine.warning().ifPresent(warning -> blocks.add(wrapped(warning)));
        return String.join("\n", blocks);
    }

    /** The contestants whose clients had less than their defaults, and what they had. */
    private Map<String, String> reduced() {
        Map<String, String> reduced = new LinkedHashMap<>();
        results.trials().keySet().stream()
                .filter(trial -> trial.clients() > 1)
                .flatMap(trial -> results.contestants(trial).stream())
                .filter(contestant -> !contestant.reduced().isEmpty())
                .forEach(contestant -> reduced.put(contestant.name(), contestant.reduced()));
        return reduced;
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

    /** What is compared, and below it the figures; the row's name comes last, for {@code --only}. */
    private String comparison(Row row) {
        Estimate estimate = results.estimate(row);
        Target target = row.target();
        String hope = target.isAny()
                ? ", target %s %s: %s"
                        .formatted(target.bound().sign(), Figures.shortly(target.value()), verdict(row, estimate))
                : "";
        return wrapped(row.what())
                + "    %s (%s to %s)%s  [%s]%n"
                        .formatted(
                                Figures.shortly(estimate.value()),
                                Figures.shortly(estimate.low()),
                                Figures.shortly(estimate.high()),
                                hope,
                                row.id());
    }

    private static String verdict(Row row, Estimate estimate) {
        return row.target().judge(estimate).name().toLowerCase(Locale.ROOT);
    }

    private static List<String> line(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others).toList();
    }

    /** The first column leans to the left, the others to the right; those that do not fit follow below it again. */
    private static String table(List<List<String>> lines) {
        List<Integer> widths = IntStream.range(0, lines.get(0).size())
                .mapToObj(column -> lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElseThrow())
                .toList();
        StringBuilder text = new StringBuilder();
        int next = 1;
        do {
            int from = next;
            int width = widths.get(0);
            while (next < widths.size() && (next == from || width + GAP.length() + widths.get(next) <= WIDTH)) {
                width += GAP.length() + widths.get(next);
                next++;
            }
            int to = next;
            lines.forEach(line -> text.append(part(line, widths, from, to)).append('\n'));
        } while (next < widths.size());
        return text.toString();
    }

    private static String part(List<String> line, List<Integer> widths, int from, int to) {
        return IntStream.concat(IntStream.of(0), IntStream.range(from, to))
                .mapToObj(column -> pad(line.get(column), widths.get(column), column == 0))
                .collect(Collectors.joining(GAP));
    }

    private static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() > WIDTH) {
                lines.append("\n ");
                column = 1;
            } else if (column > 0) {
                lines.append(' ');
                column++;
            }
            lines.append(word);
            column += word.length();
        }
        return lines.append('\n').toString();
    }

    private static String pad(String text, int width, boolean left) {
        String space = " ".repeat(width - text.length());
        return left ? text + space : space + text;
    }
}
