package dev.baton.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells in columns as wide as they must be. Not thread-safe. */
public final class Table {
    private static final String GAP = "  ";

    /** On which side of its column a cell stands. */
    public enum Align {
        /** For texts. */
        LEFT,
        /** For numbers. */
        RIGHT
    }

    private final List<Align> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * A table without rows.
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
     * The rows, aligned.
     *
     * @return one line for each, without blanks at its end
     */
    public List<String> lines() {
        int[] widths = new int[columns.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
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
