package dev.baton.bench;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lays out text in lines. A line breaks only at spaces; {@link #GLUE} keeps a figure and its unit together.
 *
 * @param width the largest number of columns of a line
 */
record Lines(int width) {
    /** A space at which a line must not break; it is printed as a plain space. */
    static final char GLUE = '\u00a0';

    static final int USUAL_WIDTH = 80;

    /** In fewer columns, the names and the figures do not fit beside each other. */
    private static final int LEAST_WIDTH = 60;

    private static final String GAP = "  ";

    /** Parses the number of columns that a shell exports; returns the usual width if it is not a number. */
    static Lines of(@Nullable String columns) {
        return columns != null && columns.matches("\\d{1,4}")
                ? new Lines(Math.max(LEAST_WIDTH, Integer.parseInt(columns)))
                : new Lines(USUAL_WIDTH);
    }

    /** Joins words so that a line cannot break between them. */
    static String glue(String text) {
        return text.replace(' ', GLUE);
    }

    /** Wraps text; lines after the first one are indented. The result ends with a line break. */
    String wrap(String text) {
        return wrap("", GAP, text);
    }

    /**
     * Wraps text.
     *
     * @param first the prefix of the first line
     * @param others the prefix of the other lines
     * @param text words to wrap; a word that is longer than a line gets its own line
     * @return lines, each with a line break
     */
    String wrap(String first, String others, String text) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder(first);
        boolean isEmpty = true;
        for (String word : text.split(" ", -1)) {
            if (!isEmpty && line.length() + 1 + word.length() > width) {
                lines.append(line).append('\n');
                line = new StringBuilder(others);
                isEmpty = true;
            }
            line.append(isEmpty ? "" : " ").append(word);
            isEmpty = false;
        }
        return plain(lines.append(line).append('\n').toString());
    }

    /**
     * Lays out a table. The first column is aligned left, the others right. Columns that do not fit follow in another
     * table below, which repeats the first column.
     */
    String table(List<List<String>> rows) {
        List<Integer> widths = IntStream.range(0, rows.get(0).size())
                .mapToObj(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElseThrow())
                .toList();
        StringBuilder text = new StringBuilder();
        for (int from = 1; from < widths.size(); ) {
            int to = end(widths, from);
            for (List<String> row : rows) {
                text.append(part(row, widths, from, to)).append('\n');
            }
            from = to;
        }
        return plain(text.toString());
    }

    /** Returns the index after the last column that fits; at least one column always does. */
    private int end(List<Integer> widths, int from) {
        int to = from;
        int used = widths.get(0);
        while (to < widths.size() && (to == from || used + GAP.length() + widths.get(to) <= width)) {
            used += GAP.length() + widths.get(to);
            to++;
        }
        return to;
    }

    private static String part(List<String> row, List<Integer> widths, int from, int to) {
        return IntStream.concat(IntStream.of(0), IntStream.range(from, to))
                .mapToObj(column -> pad(row.get(column), widths.get(column), column == 0))
                .collect(Collectors.joining(GAP));
    }

    private static String pad(String text, int width, boolean left) {
        String space = " ".repeat(width - text.length());
        return left ? text + space : space + text;
    }

    /** Replaces the spaces that join words by plain spaces. */
    static String plain(String text) {
        return text.replace(GLUE, ' ');
    }
}
