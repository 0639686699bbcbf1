package dev.baton.cli.console;

import java.util.ArrayList;
import java.util.List;

/** Shortens and wraps text to fit a width. */
public final class Fit {
    private static final String CUT = "...";

    private Fit() {}

    /**
     * Cuts the middle out of a text that is too long: its beginning and end say more.
     *
     * @param text the text
     * @param width the maximum number of characters; less than 5 counts as 5
     * @return the text, or its beginning and end with dots in between
     */
    public static String middle(String text, int width) {
        int length = text.codePointCount(0, text.length());
        int room = Math.max(width, CUT.length() + 2);
        if (length <= room) {
            return text;
        }
        int end = (room - CUT.length()) / 2;
        int beginning = room - CUT.length() - end;
        return text.substring(0, text.offsetByCodePoints(0, beginning))
                + CUT
                + text.substring(text.offsetByCodePoints(text.length(), -end));
    }

    /**
     * Breaks a text between words.
     *
     * @param text without line ends
     * @param width the maximum number of characters in a line, except for a longer word
     * @return at least one line
     */
    public static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
