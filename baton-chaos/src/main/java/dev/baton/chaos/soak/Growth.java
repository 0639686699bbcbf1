package dev.baton.chaos.soak;

import dev.baton.chaos.soak.Gauge.Reading;
import dev.baton.chaos.soak.Trend.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What reports say of trends, and of what is left in the end. */
final class Growth {
    private Growth() {}

    /** Returns what is wrong: what was left over, and what grows. */
    static List<String> defects(Series series, Reading before, Reading after) {
        List<String> defects = new ArrayList<>(Leftovers.of(before, after));
        series.trends().forEach((quantity, trend) -> {
            if (trend.verdict(quantity.limit()) == Verdict.GROWS) {
                defects.add(quantity.words() + " grows");
            }
        });
        return defects;
    }

    /** Returns what there are too few measurements of. */
    static List<String> unclear(Series series) {
        return series.trends().entrySet().stream()
                .filter(each -> each.getValue().verdict(each.getKey().limit()) == Verdict.UNCLEAR)
                .map(each -> each.getKey().words())
                .toList();
    }

    static String table(Series series, String growth) {
        StringBuilder text =
                new StringBuilder("%-30s %10s %22s %8s %8s%n".formatted("", "mean", growth, "limit", "points"));
        series.trends()
                .forEach((quantity, trend) -> text.append(String.format(
                        Locale.ROOT,
                        "%-30s %10.1f %+10.2f ± %9.2f %8.0f %8d  %s%s%n",
                        quantity.words(),
                        trend.level(),
                        trend.slope(),
                        trend.error(),
                        quantity.limit(),
                        trend.points(),
                        trend.verdict(quantity.limit()).name().toLowerCase(Locale.ROOT),
                        quantity.unit().isEmpty() ? "" : ", " + quantity.unit())));
        return text.toString();
    }

    static String ends(Reading before, Reading after, List<String> defects) {
        StringBuilder text = new StringBuilder();
        text.append("the server before: ").append(words(before)).append('\n');
        text.append("the server after:  ").append(words(after)).append('\n');
        defects.forEach(each -> text.append("DEFECT: ").append(each).append('\n'));
        return text.toString();
    }

    static Map<String, Double> words(Reading reading) {
        Map<String, Double> words = new LinkedHashMap<>();
        for (Quantity each : Quantity.values()) {
            Double value = reading.values().get(each);
            if (value != null) {
                words.put(each.words(), value);
            }
        }
        return words;
    }

    static Map<String, Object> json(Series series, Reading before, Reading after) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("defects", defects(series, before, after));
        all.put("unclear", unclear(series));
        all.put("before", words(before));
        all.put("after", words(after));
        List<Map<String, Object>> trends = new ArrayList<>();
        series.trends().forEach((quantity, trend) -> trends.add(json(quantity, trend)));
        all.put("trends", trends);
        Map<String, Object> points = new LinkedHashMap<>();
        series.points()
                .forEach((quantity, each) -> points.put(
                        quantity.words(),
                        each.stream()
                                .map(point -> List.of(point.group(), point.at(), point.value()))
                                .toList()));
        all.put("points", points);
        return all;
    }

    private static Map<String, Object> json(Quantity quantity, Trend trend) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("quantity", quantity.words());
        json.put("unit", quantity.unit());
        json.put("mean", trend.level());
        json.put("slope", trend.slope());
        // JSON has no infinity.
        json.put("plusMinus", Double.isFinite(trend.error()) ? trend.error() : "unknown");
        json.put("limit", quantity.limit());
        json.put("points", trend.points());
        json.put("verdict", trend.verdict(quantity.limit()).name());
        return json;
    }
}
