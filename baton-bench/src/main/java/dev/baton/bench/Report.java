package dev.baton.bench;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prints the results, for readers and as JSON.
 *
 * @param results the results to print
 * @param conditions the conditions under which they were measured
 * @param lines lays out the text
 */
record Report(Results results, Conditions conditions, Lines lines) {
    private static final String INDENT = "  ";
    private static final String LEGEND =
            "The tables show medians of the rounds. Each ratio is Baton's figure divided by the peer's: the mean of all"
                    + " rounds, and in brackets the interval that holds it in nine runs of ten. An operation is one"
                    + " acquisition and release, us are microseconds, and the code in square brackets is for --only.";

    String toJson() throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("summary", new Summary(results, conditions).sentences());
        json.put("load", loadJson());
        json.put("rounds", conditions.pace().rounds());
        json.put("java", Versions.java());
        json.put("distance", distanceJson());
        json.put("servers", List.copyOf(conditions.servers().values()));
        json.put("settings", settingsJson());
        json.put("rows", results.rows().stream().map(this::rowJson).toList());
        json.put(
                "trials",
                results.trials().keySet().stream().map(this::trialJson).toList());
        return Lines.plain(JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(json));
    }

    private Map<String, Object> distanceJson() {
        Distance distance = conditions.distance();
        return Map.of("addedMillis", distance.addedMillis(), "echoMillis", distance.measuredMillis());
    }

    private Map<String, @Nullable Object> loadJson() {
        Load load = conditions.load();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("before", number(load.before()));
        json.put("most", number(load.most()));
        json.put("busyTurns", load.busyTurns());
        json.put("turns", load.turns());
        return json;
    }

    private Map<String, @Nullable Object> rowJson(Row row) {
        Estimate estimate = results.estimate(row);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", row.id());
        json.put("what", row.words());
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
        json.put("what", trial.words());
        json.put("medians", contestants);
        return json;
    }

    /** Returns null for NaN, which JSON cannot express. */
    private static @Nullable Double number(double value) {
        return Double.isFinite(value) ? value : null;
    }

    String toText() {
        List<String> blocks = new ArrayList<>();
        results.trials().keySet().forEach(trial -> blocks.add(figures(trial)));
        if (!results.rows().isEmpty()) {
            blocks.add(lines.wrap("", "", LEGEND));
        }
        results.rows().forEach(row -> blocks.add(comparison(row)));
        blocks.add(setups());
        blocks.add(lines.wrap("", "", String.join(" ", new Summary(results, conditions).sentences())));
        return blocks.stream().filter(block -> !block.isEmpty()).collect(Collectors.joining("\n"));
    }

    /** The settings of a contestant in some of the trials. */
    private record Setting(String contestant, String when, String how) {}

    private List<Setting> settings() {
        Set<Setting> settings = new LinkedHashSet<>();
        for (Trial trial : results.trials().keySet()) {
            String when = trial.clients() > 1 ? ", each of several clients" : ", one client";
            for (Contestant each : results.contestants(trial)) {
                Setup setup = each.setup();
                String how = Versions.of(each) + "; " + (trial.clients() > 1 ? setup.crowded() : setup.alone());
                settings.add(new Setting(each.words(), setup.isSame() ? "" : when, how));
            }
        }
        return List.copyOf(settings);
    }

    private Map<String, String> settingsJson() {
        Map<String, String> json = new LinkedHashMap<>();
        settings().forEach(each -> json.put(each.contestant + each.when, each.how));
        return json;
    }

    /** Returns servers and settings; contestants with the same settings are named together. */
    private String setups() {
        Map<String, List<String>> contestants = new LinkedHashMap<>();
        settings()
                .forEach(each -> contestants
                        .computeIfAbsent(each.when + ": " + each.how, any -> new ArrayList<>())
                        .add(each.contestant));
        String far = conditions.distance().isNone()
                ? ""
                : ", " + conditions.distance().words();
        return lines.wrap("On " + String.join(", ", platform()) + far + ":")
                + contestants.entrySet().stream()
                        .map(each -> lines.wrap(String.join(" and ", each.getValue()) + each.getKey()))
                        .collect(Collectors.joining());
    }

    /** Names the servers and this machine. */
    private List<String> platform() {
        int processors = Runtime.getRuntime().availableProcessors();
        return Stream.concat(
                        conditions.servers().values().stream().map(Lines::glue),
                        Stream.of(Versions.java(), Lines.glue(processors + " processors")))
                .toList();
    }

    /** Returns a table with a column for each contestant and a line for each metric that was measured. */
    private String figures(Trial trial) {
        List<Contestant> contestants = results.contestants(trial);
        List<List<String>> table = new ArrayList<>();
        table.add(line("", contestants.stream().map(Contestant::name)));
        for (Metric metric : Metric.ALL) {
            List<Double> medians = contestants.stream()
                    .map(contestant -> results.median(trial, contestant, metric))
                    .toList();
            if (!medians.stream().allMatch(value -> value.isNaN())) {
                table.add(line(INDENT + metric.words(), medians.stream().map(Figures::shortly)));
            }
        }
        return lines.wrap(trial.words()) + lines.table(table);
    }

    /** Returns the comparison in words, the row's code for {@code --only}, and the figures. */
    private String comparison(Row row) {
        return lines.wrap("", INDENT, row.words() + " [" + row.id() + "]")
                + lines.wrap(INDENT, INDENT + INDENT, finding(row, results.estimate(row)));
    }

    private static String finding(Row row, Estimate estimate) {
        if (Double.isNaN(estimate.value())) {
            return "not measured";
        }
        String unit = row.peer().isPresent() ? " times" : "";
        String standing = row.peer().isPresent()
                ? ": " + Standing.of(row.metric(), estimate).words()
                : "";
        Target target = row.target();
        String hope = target.isAny()
                ? "; target %s %s: %s"
                        .formatted(target.bound().words(), Figures.shortly(target.value()), verdict(row, estimate))
                : "";
        return Lines.glue(Figures.shortly(estimate.value()) + unit + interval(estimate)) + standing + hope;
    }

    private static String interval(Estimate estimate) {
        return Double.isNaN(estimate.low())
                ? ""
                : " (%s to %s)".formatted(Figures.shortly(estimate.low()), Figures.shortly(estimate.high()));
    }

    private static String verdict(Row row, Estimate estimate) {
        return row.target().judge(estimate).name().toLowerCase(Locale.ROOT);
    }

    private static List<String> line(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others).toList();
    }
}
