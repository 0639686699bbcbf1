package dev.baton.cli.console;

/** Makes text from other users safe for a terminal. */
public final class Printable {
    private Printable() {}

    /**
     * Replaces characters that a terminal would interpret, or that make a text look like another one: control
     * characters, line ends, characters that change the writing direction, unpaired surrogates.
     *
     * @param text text from a store or a user
     * @return the same text with escapes such as {@code \\u001b}
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
