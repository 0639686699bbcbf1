package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pages and comments are plain English: the words of {@code dialect.txt}, which hide the actor of a sentence, are rare.
 * Exempt are code blocks of pages, string literals, and files that are not written by hand.
 */
class EnglishHouseTest {
    private static final double MOST_PER_THOUSAND = 3;
    private static final int SHOWN = 10;
    private static final Pattern WORD = Pattern.compile("[A-Za-z']+");
    private static final Pattern DIALECT = dialect();
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```");

    /** A comment, or a literal that may contain the signs of one. */
    private static final Pattern COMMENT = Pattern.compile(
            "(?s)(/\\*.*?\\*/|//[^\\n]*)|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'");

    private enum Kind {
        README(EnglishHouseTest::page, path -> path.equals("README.md")),
        PAGES(EnglishHouseTest::page, path -> path.endsWith(".md") && !path.equals("README.md")),
        JAVADOC_OF_THE_API(
                EnglishHouseTest::comments,
                path -> path.matches("baton-core/src/main/java/dev/baton/(spi/)?\\w+\\.java")),
        COMMENTS(EnglishHouseTest::comments, path -> path.endsWith(".java") || path.endsWith(".kt"));

        private final Function<Path, String> text;
        private final Function<String, Boolean> has;

        Kind(Function<Path, String> text, Function<String, Boolean> has) {
            this.text = text;
            this.has = has;
        }
    }

    private record Count(String file, long dialect, long words) {
        @Override
        public String toString() {
            return dialect + " in " + file;
        }
    }

    private static Pattern dialect() {
        try (InputStream in = EnglishHouseTest.class.getResourceAsStream("/dialect.txt")) {
            String words = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .collect(Collectors.joining("|"));
            return Pattern.compile("(?i)\\b(" + words + ")\\b");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void wordsOfTheDialect_areRare(Kind kind) {
        List<Count> counts = Repository.files().stream()
                .filter(file -> kind.has.apply(Repository.name(file)))
                .map(file -> count(Repository.name(file), kind.text.apply(file)))
                .toList();
        double rate = 1_000.0
                * counts.stream().mapToLong(Count::dialect).sum()
                / counts.stream().mapToLong(Count::words).sum();
        List<Count> worst = counts.stream()
                .sorted(Comparator.comparing(Count::dialect).reversed())
                .limit(SHOWN)
                .toList();
        System.out.println(kind + String.format(Locale.ROOT, ": %.2f of 1,000 words", rate));
        assertThat(rate)
                .as("%s: words of dialect.txt in 1,000. Name the actor instead. The most: %s", kind, worst)
                .isLessThan(MOST_PER_THOUSAND);
    }

    @Test
    void commentsAreCounted_andLiteralsAreNot() {
        String source = "// whoever comes\nString s = \"nobody // what is\"; /* what is it */ char c = '\"'; // people";
        Count count = count("", commentsIn(source));
        assertThat(count.dialect()).isEqualTo(3);
        assertThat(count.words()).isEqualTo(6);
    }

    private static Count count(String name, String text) {
        return new Count(
                name,
                DIALECT.matcher(text).results().count(),
                WORD.matcher(text).results().count());
    }

    private static String page(Path file) {
        return CODE_BLOCK.matcher(Repository.read(file)).replaceAll("");
    }

    private static String comments(Path file) {
        return commentsIn(Repository.read(file));
    }

    private static String commentsIn(String source) {
        Matcher found = COMMENT.matcher(source);
        return found.results().flatMap(each -> Stream.ofNullable(each.group(1))).collect(Collectors.joining("\n"));
    }
}
