package dev.baton.cli.check;

import dev.baton.StoreException;
import dev.baton.StoreReport;
import dev.baton.cli.console.Fit;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Terminal.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings about a store that answers, or the reason why it gave no answer.
 *
 * @param verdict the conclusion
 * @param facts the store's own facts
 * @param promises Baton's promises on this store
 * @param measured measurements from here, for users
 * @param numbers measurements from here, for programs
 * @param changes what to change, one line each
 */
record Findings(
        Verdict verdict,
        Map<String, String> facts,
        Map<String, String> promises,
        Map<String, String> measured,
        Map<String, Object> numbers,
        List<String> changes) {

    /** The text with which a store says that acknowledged writes may not survive a crash. */
    private static final String MAY_FORGET = "may forget";

    private static final String FORGETTING =
            "a crash may take the locks of the last second with it, and two may hold the"
                    + " same lock until the first notices: set appendfsync always, or have what the lock protects check tokens";

    static Findings of(StoreReport report) {
        List<String> changes = new ArrayList<>(report.warnings());
        if (report.facts().getOrDefault("persistence", "").contains(MAY_FORGET)) {
            changes.add(FORGETTING);
        }
        return new Findings(
                changes.isEmpty() ? Verdict.FIT : Verdict.CHANGE,
                report.facts(),
                report.promises(),
                measured(report),
                numbers(report),
                List.copyOf(changes));
    }

    static Findings of(StoreException refused) {
        return new Findings(
                Verdict.of(refused),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(String.valueOf(refused.getMessage())));
    }

    private static Map<String, String> measured(StoreReport report) {
        List<Duration> trips = report.roundTrips();
        Map<String, String> measured = new LinkedHashMap<>();
        measured.put("a lock", "taken and freed " + trips.size() / 2 + " times: this user may write");
        measured.put(
                "a round trip",
                "p50 " + millisText(at(trips, 50)) + ", p90 " + millisText(at(trips, 90)) + ", p99 "
                        + millisText(at(trips, 99)) + " (" + trips.size() + " commands)");
        measured.put("the store's clock", clock(report.clockDifference().orElse(null)));
        return measured;
    }

    /**
     * The comparison is accurate to a millisecond at best, and a difference is harmless; the text says so to prevent
     * worries.
     */
    private static String clock(@Nullable Duration ahead) {
        if (ahead == null) {
            return "not used: leases go by their client's own clock, and end with its session at the latest";
        }
        long millis = ahead.toMillis();
        String difference = Math.abs(millis) <= 1
                ? "as this machine's"
                : Math.abs(millis) + " ms " + (millis < 0 ? "behind" : "ahead of") + " this machine's";
        return difference + " (for information: leases go by the store's clock alone)";
    }

    private static Map<String, Object> numbers(StoreReport report) {
        List<Duration> trips = report.roundTrips();
        Map<String, Object> numbers = new LinkedHashMap<>();
        report.clockDifference().ifPresent(ahead -> numbers.put("clockDifferenceMillis", ahead.toMillis()));
        numbers.put("commands", trips.size());
        for (int percent : new int[] {50, 90, 99}) {
            numbers.put("p" + percent + "Millis", millis(at(trips, percent)));
        }
        return numbers;
    }

    /** Returns the percentile: the smallest value that this percentage of all values does not exceed. */
    private static Duration at(List<Duration> sorted, int percent) {
        int rank = (sorted.size() * percent + 99) / 100;
        return sorted.isEmpty() ? Duration.ZERO : sorted.get(Math.max(0, rank - 1));
    }

    private static double millis(Duration time) {
        return Math.round(time.toNanos() / 1e4) / 100.0;
    }

    private static String millisText(Duration time) {
        return String.format(Locale.ROOT, "%.2f ms", millis(time));
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verdict", verdict.key());
        json.put("exitCode", verdict.exitCode());
        json.put("facts", facts);
        json.put("promises", promises);
        json.put("measured", numbers);
        json.put("change", changes);
        return json;
    }

    void print(Terminal out) {
        print(out, "The store says", facts);
        print(out, "Baton promises on a store of this kind", promises);
        print(out, "Measured from here", measured);
        if (!changes.isEmpty()) {
            out.out().println(out.paint(Style.BOLD, "To change"));
            changes.forEach(change -> lines("  - ", Printable.of(change), out).forEach(out.out()::println));
            out.out().println();
        }
        out.out().println(out.paint(verdict == Verdict.FIT ? Style.GREEN : Style.RED, verdict.words()));
    }

    private static void print(Terminal out, String heading, Map<String, String> values) {
        List<String> lines = new ArrayList<>();
        int width = values.keySet().stream().mapToInt(String::length).max().orElse(0);
        values.forEach((label, value) -> lines.addAll(
                lines(String.format("  %-" + (width + 2) + "s", Printable.of(label)), Printable.of(value), out)));
        lines.add("");
        out.out().println(out.paint(Style.BOLD, heading));
        lines.forEach(out.out()::println);
    }

    /** Returns the text in lines. On a terminal it is wrapped, so that the terminal does not break words. */
    private static List<String> lines(String beginning, String text, Terminal out) {
        if (!out.isTerminal()) {
            return List.of(beginning + text);
        }
        String indent = " ".repeat(beginning.length());
        List<String> lines = new ArrayList<>();
        for (String line : Fit.lines(text, out.width() - beginning.length())) {
            lines.add((lines.isEmpty() ? beginning : indent) + line);
        }
        return lines;
    }
}
