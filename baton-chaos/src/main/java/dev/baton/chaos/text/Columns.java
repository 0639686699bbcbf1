package dev.baton.chaos.text;

import picocli.CommandLine.Help;

/** Lines of at most 80 columns, for a terminal. */
public final class Columns {
    private static final int WIDTH = 80;
    private static final int INDENT = 2;

    private Columns() {}

    /** Returns a paragraph in lines, of which all but the first are indented. */
    public static String paragraph(String words) {
        return table(words, last(WIDTH));
    }

    /** Returns a name in a column of its own, and words beside it. */
    public static String entry(String name, int columns, String words) {
        Help.TextTable table = table(new Help.Column(columns, 0, Help.Column.Overflow.SPAN), last(WIDTH - columns));
        table.addRowValues(name, words);
        return table.toString();
    }

    private static String table(String words, Help.Column column) {
        Help.TextTable table = table(column);
        table.indentWrappedLines = INDENT;
        table.addRowValues(words);
        return table.toString();
    }

    private static Help.TextTable table(Help.Column... columns) {
        return Help.TextTable.forColumns(Help.defaultColorScheme(Help.Ansi.OFF), columns);
    }

    private static Help.Column last(int width) {
        return new Help.Column(width, 0, Help.Column.Overflow.WRAP);
    }
}
