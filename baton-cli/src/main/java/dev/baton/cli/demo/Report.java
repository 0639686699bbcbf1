package dev.baton.cli.demo;

import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Json;
import dev.baton.cli.console.Table;
import dev.baton.cli.console.Table.Align;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Terminal.Style;
import dev.baton.demo.Result;
import dev.baton.demo.Settings;
import dev.baton.demo.Shop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The outcome of the whole demo.
 *
 * @param settings the size of the demo
 * @param results in the order of the rounds
 * @param seconds how long it took
 */
record Report(Settings settings, List<Result> results, double seconds) {
    private static final Align[] COLUMNS = columns();

    /** Two lines, so that the table fits into 80 columns. */
    private static final List<List<String>> HEAD = List.of(
            List.of("", "", "", "", "stale", "hand-", "wait", "wait", "tokens"),
            List.of("lock", "sold", "oversold", "stuck", "refused", "offs/s", "p50 ms", "p99 ms", "ordered"));

    private static Align[] columns() {
        Align[] columns = new Align[9];
        Arrays.fill(columns, Align.RIGHT);
        columns[0] = Align.LEFT;
        return columns;
    }

    int exitCode() {
        if (results.stream().anyMatch(Result::brokePromise)) {
            return ExitCode.BATON_FAILED;
        }
        return results.stream().allMatch(Result::asAnnounced) ? ExitCode.OK : ExitCode.FAULT_NOT_SHOWN;
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ok", exitCode() == ExitCode.OK);
        json.put("exitCode", exitCode());
        json.put("store", settings.store());
        json.put("processes", settings.processes());
        json.put("threads", settings.threads());
        json.put("stock", settings.stock());
        json.put("seconds", Math.round(seconds * 10) / 10.0);
        json.put("locks", results.stream().map(Result::toJson).toList());
        return Json.of(json);
    }

    void print(Terminal terminal) {
        Table table = new Table(COLUMNS);
        HEAD.forEach(table::row);
        results.forEach(result -> table.row(cells(result)));
        Table reasons = new Table(Align.LEFT, Align.LEFT);
        results.forEach(result -> reasons.row(List.of(result.round().title(), result.why())));
        terminal.out().println();
        List<String> lines = table.lines();
        for (int i = 0; i < lines.size(); i++) {
            terminal.out().println(terminal.paint(style(i - HEAD.size()), lines.get(i)));
        }
        terminal.out().println();
        reasons.lines().forEach(terminal.out()::println);
        terminal.out().println();
        terminal.out().println(verdict(terminal));
    }

    private Style style(int row) {
        if (row < 0) {
            return Style.BOLD;
        }
        return results.get(row).isBaton() && results.get(row).asAnnounced() ? Style.GREEN : Style.RED;
    }

    private String verdict(Terminal terminal) {
        String time = String.format(Locale.ROOT, " (%.0f s)", seconds);
        return switch (exitCode()) {
            case ExitCode.OK -> terminal.paint(Style.GREEN, praise()) + time;
            case ExitCode.BATON_FAILED -> terminal.paint(Style.RED, "Baton broke its promise.") + time;
            default -> terminal.paint(Style.RED, "A holder's trouble did not show its effect.") + time;
        };
    }

    private String praise() {
        List<String> parts = new ArrayList<>();
        if (results.stream().anyMatch(result -> !result.isBaton())) {
            parts.add("Each broken lock failed in its own way.");
        }
        if (results.stream().anyMatch(Result::isBaton)) {
            parts.add("Baton oversold nothing.");
        }
        return String.join(" ", parts);
    }

    private static List<String> cells(Result result) {
        Shop.Books books = result.books();
        return List.of(
                result.round().title(),
                Integer.toString(books.orders()),
                Integer.toString(books.oversold()),
                result.stuck() ? "yes" : "no",
                result.isBaton() ? Integer.toString(books.refused()) : "-",
                Long.toString(Math.round(result.handOffsPerSecond())),
                millis(result.waits().p50Millis()),
                millis(result.waits().p99Millis()),
                result.isBaton() ? (books.tokensInOrder() ? "yes" : "NO") : "-");
    }

    private static String millis(double value) {
        return value < 100 ? Double.toString(value) : Long.toString(Math.round(value));
    }
}
