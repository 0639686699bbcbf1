package dev.baton.chaos.runbook;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page {@code docs/runbook.md}: its tables have a row for each event, message and finding. Immutable.
 *
 * @param entries the rows of all tables
 */
public record Runbook(List<Entry> entries) {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)`[^|]*\\|(.*)\\|$");

    private static final String REASON = " (WHY)";

    /** Names and numbers, which differ from case to case, are in capitals; units may follow a number at once. */
    private static final Pattern VARIABLE = Pattern.compile(" \\(WHY\\)|\\b(?:[A-Z][A-Z_]+|N(?=s\\b|ms\\b|\\b))");

    /**
     * A row.
     *
     * @param text the message, with its variables in capitals
     * @param meaning what happened
     * @param provoked what provokes it, as the page says
     */
    public record Entry(String text, String meaning, String provoked) {
        /** Whether a message is one of these. */
        public boolean matches(String message) {
            // The type of an event is in capitals and no variable.
            return text.equals(message)
                    || (text.contains(" ") && pattern().matcher(message).matches());
        }

        private Pattern pattern() {
            StringBuilder pattern = new StringBuilder();
            Matcher variables = VARIABLE.matcher(text);
            int end = 0;
            while (variables.find()) {
                pattern.append(Pattern.quote(text.substring(end, variables.start())));
                // A reason in brackets may be missing.
                pattern.append(variables.group().equals(REASON) ? "(?: \\(.*\\))?" : ".+");
                end = variables.end();
            }
            return Pattern.compile(pattern + Pattern.quote(text.substring(end)), Pattern.DOTALL);
        }
    }

    /** Returns the page of this build. */
    public static Runbook shipped() {
        try (InputStream page = Objects.requireNonNull(Runbook.class.getResourceAsStream("runbook.md"))) {
            return of(new String(page.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a page. */
    public static Runbook of(String page) {
        List<Entry> entries = new ArrayList<>();
        Matcher rows = ROW.matcher(page);
        while (rows.find()) {
            String[] cells = rows.group(2).split("\\|", -1);
            entries.add(new Entry(rows.group(1), cells[0].strip(), cells[cells.length - 1].strip()));
        }
        return new Runbook(List.copyOf(entries));
    }

    /** Returns the row of a message, or of an event's type. */
    public Optional<Entry> find(String message) {
        return entries.stream().filter(entry -> entry.matches(message)).findFirst();
    }
}
