package dev.baton.cli.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Rows of cells, in columns that are as wide as their content. Not thread-safe. */
public final class Table {
    private static final String GAP = "  ";

    /** No text is cut to fewer characters. */
    private static final int SHORTEST = 10;

    /** The side of its column at which a cell stands. */
    public enum Align {
        /** For texts. */
        LEFT,
        /** For numbers. */
        RIGHT
    }

    private final List<Align> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Makes a table without rows.
     *
     * @param columns how each column is aligned
     */
    public Table(Align... columns) {
        this.columns = List.of(columns);
    }

    /**
     * Adds a row.
     *
     * @param cells one for each column
     */
    public void row(List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(cells.size() + " cells for " + columns.size() + " columns");
        }
        rows.add(cells);
    }

    /**
     * Returns the aligned rows.
     *
     * @return one line for each row, without trailing blanks
     */
    public List<String> lines() {
        int[] widths = widths();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    /**
     * Returns the aligned rows, shortened to a terminal's width if possible: the longest text column loses the middle
     * of its cells until it is as short as the others.
     *
     * @param width how many characters fit in a line
     * @return one line for each row, without trailing blanks
     */
    public List<String> lines(int width) {
        int[] widths = widths();
        int room = width - GAP.length() * (widths.length - 1);
        while (Arrays.stream(widths).sum() > room) {
            int longest = longestText(widths);
            if (longest < 0) {
                break;
            }
            widths[longest]--;
        }
        return rows.stream().map(row -> line(cut(row, widths), widths)).toList();
    }

    /** Returns the longest text column that can be cut; negative if there is none. */
    private int longestText(int[] widths) {
        int longest = -1;
        for (int i = 0; i < widths.length; i++) {
            boolean canBeCut = columns.get(i) == Align.LEFT && widths[i] > SHORTEST;
            if (canBeCut && (longest < 0 || widths[i] > widths[longest])) {
                longest = i;
            }
        }
        return longest;
    }

    private static List<String> cut(List<String> row, int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(i -> Fit.middle(row.get(i), widths[i]))
                .toList();
    }

    private int[] widths() {
        int[] widths = new int[columns.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        return widths;
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            String blanks = " ".repeat(widths[i] - width(cell));
            line.append(i == 0 ? "" : GAP).append(columns.get(i) == Align.LEFT ? cell + blanks : blanks + cell);
        }
        return line.toString().stripTrailing();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
