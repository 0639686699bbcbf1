package dev.baton.chaos.text;

/** Writes a table. Columns whose heads begin with # hold numbers, and are set to the right. For one thread. */
public final class MarkdownTable {
    private final StringBuilder text = new StringBuilder();

    /** Begins a table with its heads. */
    public MarkdownTable(String... heads) {
        StringBuilder rule = new StringBuilder("|");
        String[] shown = new String[heads.length];
        for (int i = 0; i < heads.length; i++) {
            rule.append(heads[i].startsWith("#") ? "---:|" : "---|");
            shown[i] = heads[i].replaceFirst("^#", "");
        }
        row(shown);
        text.append(rule).append('\n');
    }

    /** Adds a row, which has a cell for each head. */
    public void row(String... cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
