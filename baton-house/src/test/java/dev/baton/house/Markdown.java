package dev.baton.house;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The parts of Markdown documents that the rules check. */
final class Markdown {
    private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\\n]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern RULE = Pattern.compile("[|: -]+");

    private Markdown() {}

    /** Returns the Java code, without the indentation that all lines share. */
    static List<String> javaBlocks(String text) {
        return JAVA_BLOCK
                .matcher(text)
                .results()
                .map(found -> code(found.group(1)))
                .toList();
    }

    /** Returns lines without the indentation that they share. */
    static String code(String lines) {
        // An empty last line would count as a line without indentation.
        return lines.stripTrailing().stripIndent();
    }

    /** Returns the targets of links, except links in code. */
    static List<String> links(String text) {
        return LINK.matcher(CODE.matcher(text).replaceAll(""))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    /** Returns the rows of all tables whose last column has this title, as cells. */
    static List<List<String>> rowsEndingIn(String title, String text) {
        return Arrays.stream(text.split("\\n\\s*\\n"))
                .map(paragraph -> paragraph
                        .lines()
                        .filter(line -> line.startsWith("|"))
                        .map(Markdown::cells)
                        .toList())
                .filter(table -> !table.isEmpty() && last(table.get(0)).equals(title))
                .flatMap(table -> table.stream().skip(1))
                .filter(row -> !RULE.matcher(String.join("", row)).matches())
                .toList();
    }

    static String last(List<String> cells) {
        return cells.get(cells.size() - 1);
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1).split("(?<!\\\\)\\|"))
                .map(String::strip)
                .toList();
    }
}
