package dev.baton.cli.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.cli.ExitCode;
import dev.baton.cli.Terminal;
import dev.baton.cli.Terminal.Style;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The outcome of the whole demo.
 *
 * @param settings how large it was
 * @param results in the order of the rounds
 * @param seconds how long it took
 */
record Report(Settings settings, List<Result> results, double seconds) {
    /** Two lines, so that the table fits into 80 columns. */
    private static final List<List<String>> HEAD = List.of(
            List.of("", "", "", "", "stale", "hand-", "wait", "wait", "tokens"),
            List.of("lock", "sold", "oversold", "stuck", "refused", "offs/s", "p50 ms", "p99 ms", "ordered"));

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
        try {
            return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(json);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write JSON", e);
        }
    }

    void print(Terminal terminal) {
        List<List<String>> rows = new ArrayList<>(HEAD);
        results.forEach(result -> rows.add(cells(result)));
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        terminal.out().println();
        HEAD.forEach(row -> terminal.out().println(terminal.paint(Style.BOLD, line(row, widths))));
        for (int i = 0; i < results.size(); i++) {
            Style style = results.get(i).isBaton() && results.get(i).asAnnounced() ? Style.GREEN : Style.RED;
            terminal.out().println(terminal.paint(style, line(rows.get(HEAD.size() + i), widths)));
        }
        terminal.out().println();
        for (Result result : results) {
            terminal.out().println(pad(result.round().title(), widths[0]) + "  " + result.why());
        }
        terminal.out().println();
        terminal.out().println(verdict(terminal));
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

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder(pad(cells.get(0), widths[0]));
        for (int i = 1; i < widths.length; i++) {
            line.append("  ")
                    .append(" ".repeat(widths[i] - cells.get(i).length()))
                    .append(cells.get(i));
        }
        return line.toString();
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
