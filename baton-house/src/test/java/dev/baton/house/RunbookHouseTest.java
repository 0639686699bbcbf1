package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.chaos.runbook.Runbook;
import dev.baton.chaos.runbook.Runbook.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Operators find each event, each message of the log and each finding of {@code baton check} in the runbook. */
class RunbookHouseTest {
    private static final List<String> LIBRARIES =
            List.of("baton-core", "baton-jdbc", "baton-redis", "baton-zookeeper", "baton-etcd", "baton-memcached");

    /** Statements that log, warn, or make the text for it. */
    private static final Pattern STATEMENT =
            Pattern.compile("(?:\\b(?:log|warn|info|warn\\.accept|warnings\\.add)\\((?!String ))[^;{}]*;");

    /** Methods and constants that make texts for the log, and warnings. */
    private static final Pattern MAKER = Pattern.compile(
            "(?ms)^ {4}(?! )[\\w <>@]*\\b(?:List<String> warnings|String whatIsLeft|String clockWarning)\\([^;]*?\\{.*?^ {4}\\}");

    /** Texts that are logged under a name; exceptions have names like it elsewhere. */
    private static final Pattern MESSAGE = Pattern.compile("String message = [^;{}]*;(?=\\s*(?:warn|out\\.call)\\()");

    private static final Pattern LITERAL =
            Pattern.compile("\"(?:[^\"\\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\\n]|\\\\.)*\")*");
    private static final Pattern SQL_WARNINGS = Pattern.compile("(?m)^--@ warnings\\n((?:SELECT .*\\n)+)");
    private static final Pattern SQL_TEXT = Pattern.compile("'((?:[^']|'')*)'");
    private static final Pattern VERDICT = Pattern.compile("ExitCode\\.\\w+, \"([^\"]+)\"");
    private static final Pattern FORGETTING = Pattern.compile("String FORGETTING =[^;]*;");

    /** Shorter pieces, such as "at" and units, stand between names and numbers. */
    private static final int LEAST = 8;

    private static final Path PAGE = Repository.ROOT.resolve("docs/runbook.md");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern CHAOS = Pattern.compile("`chaos ([\\w-]+) ([\\w-]+)`");
    private static final Set<String> TEST_ANNOTATIONS =
            Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "EachMode");

    private final Sources tests = Sources.parse(Sources.testFiles());
    private final String page = Repository.read(PAGE).replaceAll("\\s+", " ");

    @Test
    void everyEventIsInTheRunbook() {
        assertThat(Arrays.stream(BatonEvent.Type.values()).map(type -> "| `" + type + "` |"))
                .allSatisfy(row -> assertThat(page).contains(row));
    }

    @Test
    void everyLogMessageAndWarningIsInTheRunbook() {
        Set<String> texts = new TreeSet<>();
        for (String library : LIBRARIES) {
            for (String source : sources(Repository.mainJava(library), ".java")) {
                texts.addAll(literals(STATEMENT, source));
                texts.addAll(literals(MAKER, source));
                texts.addAll(literals(MESSAGE, source));
            }
        }
        assertThat(texts)
                .as("texts of log messages and warnings in the sources")
                .hasSizeGreaterThan(45);
        assertMissingNone(texts);
    }

    @Test
    void everyWarningOfADatabaseIsInTheRunbook() {
        Set<String> texts = new TreeSet<>();
        for (String sql : sources(Repository.ROOT.resolve("baton-jdbc/src/main/resources"), ".sql")) {
            SQL_WARNINGS
                    .matcher(sql)
                    .results()
                    .forEach(section -> SQL_TEXT.matcher(section.group(1))
                            .results()
                            .map(text -> text.group(1).replace("''", "'").strip())
                            .filter(text -> text.contains(" "))
                            .forEach(texts::add));
        }
        assertThat(texts).as("warnings in the SQL files").hasSizeGreaterThan(4);
        assertMissingNone(texts);
    }

    @Test
    void everyConclusionAndOwnFindingOfTheCheckIsInTheRunbook() {
        Set<String> texts = new TreeSet<>();
        for (String source : sources(Repository.mainJava("baton-cli").resolve("dev/baton/cli/check"), ".java")) {
            VERDICT.matcher(source).results().forEach(verdict -> texts.add(verdict.group(1)));
            texts.addAll(literals(FORGETTING, source));
        }
        assertThat(texts).as("texts of the check").hasSize(7);
        assertMissingNone(texts);
    }

    @Test
    void everyEntryNamesWhatProvokesIt() {
        List<Entry> entries = Runbook.of(Repository.read(PAGE)).entries();
        assertThat(entries).hasSizeGreaterThan(50);
        assertThat(entries.stream().filter(entry -> !isProvoked(entry)).map(Entry::text))
                .as(
                        "entries of docs/runbook.md whose last column names neither `Class#method` of a test that exists nor"
                                + " `chaos STORE FAULT` of a store and a fault that exist")
                .isEmpty();
    }

    @Test
    void everyEntryIsFoundByItsText_andByACaseOfIt() {
        Runbook runbook = Runbook.of(Repository.read(PAGE));
        assertThat(runbook.entries())
                .allSatisfy(entry -> assertThat(runbook.find(entry.text())).contains(entry));
        assertThat(runbook.find("Redis at 127.0.0.1:1 answers again after 2093 ms of silence"))
                .isPresent();
        assertThat(runbook.find("Redis has answered nothing for 2001 ms: leases last until their time is over, and"
                        + " callers go on waiting"))
                .isPresent();
        assertThat(runbook.find("something else")).isEmpty();
    }

    private boolean isProvoked(Entry entry) {
        String rest =
                TEST.matcher(CHAOS.matcher(entry.provoked()).replaceAll("")).replaceAll("");
        return rest.length() < entry.provoked().length()
                && rest.matches("[, ]*")
                && TEST.matcher(entry.provoked())
                        .results()
                        .allMatch(found -> tests.has(found.group(1), found.group(2), TEST_ANNOTATIONS))
                && CHAOS.matcher(entry.provoked()).results().allMatch(found -> isChaos(found.group(1), found.group(2)));
    }

    /** Faults are named by their constants, or by words in quotes. */
    private static boolean isChaos(String store, String fault) {
        String sources = String.join("", sources(Repository.mainJava("baton-chaos"), ".java"));
        String constant = fault.toUpperCase(Locale.ROOT).replace('-', '_');
        return Pattern.compile("MAKERS\\.put\\(\\s*\"" + store + '"')
                        .matcher(sources)
                        .find()
                && (sources.contains('"' + fault + '"')
                        || Pattern.compile("(?m)^ {4}" + constant + " \\{")
                                .matcher(sources)
                                .find());
    }

    private void assertMissingNone(Set<String> texts) {
        assertThat(texts.stream().filter(text -> !page.contains(text)))
                .as("texts that docs/runbook.md must explain, word by word")
                .isEmpty();
    }

    private static List<String> literals(Pattern place, String source) {
        List<String> texts = new ArrayList<>();
        // A quote that is a character begins no literal.
        Matcher places = place.matcher(source.replace("'\"'", "' '"));
        while (places.find()) {
            LITERAL.matcher(places.group())
                    .results()
                    .map(literal -> text(literal.group()))
                    .filter(text -> text.length() >= LEAST && text.contains(" "))
                    .forEach(texts::add);
        }
        return texts;
    }

    /** Joins the parts of a literal. */
    private static String text(String literal) {
        String joined = literal.replaceAll("\"\\s*\\+\\s*\"", "");
        return joined.substring(1, joined.length() - 1).replace("\\\"", "\"").strip();
    }

    private static List<String> sources(Path directory, String suffix) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .map(Repository::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
