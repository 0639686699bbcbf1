package dev.baton.cli;

/** Text that somebody else wrote, made fit for a terminal. */
public final class Printable {
    private Printable() {}

    /**
     * Writes out what a terminal would obey, or what would make a text look like another one: control characters, line
     * ends, directions of writing, halves of characters.
     *
     * @param text what a store or a user gave
     * @return the same, with {@code \\u001b} and the like in their place
     */
    public static String of(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (isPrintable(point)) {
                printable.appendCodePoint(point);
            } else {
                printable.append(String.format("\\u%04x", point));
            }
        });
        return printable.toString();
    }

    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
