package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/pains.md} and the display names of tests must agree. */
class PainsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (P\\d+) \\| [^|]+ \\| ([^|]+) \\|$");
    private static final Pattern NAMED = Pattern.compile("@DisplayName\\(\\s*\"((?:P\\d+[ :]*)+)");
    private static final Pattern PAIN = Pattern.compile("P\\d+");
    private static final Pattern CLASS = Pattern.compile("`(\\w+(?:Contract|Test))`");

    /**
     * Returns the test classes of each pain as the page lists them. A class that extends parts of a contract counts as
     * that contract.
     */
    private static Map<String, Set<String>> toldByThePage() throws IOException {
        Map<String, Set<String>> told = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/pains.md")));
        while (row.find()) {
            Set<String> classes = told.computeIfAbsent(row.group(1), pain -> new TreeSet<>());
            CLASS.matcher(row.group(2)).results().forEach(match -> classes.add(match.group(1)));
        }
        return told;
    }

    private static Map<String, Set<String>> namedByTests() throws IOException {
        Map<String, Set<String>> named = new TreeMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : (Iterable<Path>) files.filter(PainsTest::isTest)::iterator) {
                Matcher name = NAMED.matcher(Files.readString(file));
                while (name.find()) {
                    PAIN.matcher(name.group(1))
                            .results()
                            .forEach(pain -> named.computeIfAbsent(pain.group(), key -> new TreeSet<>())
                                    .add(contractOf(file)));
                }
            }
        }
        return named;
    }

    private static boolean isTest(Path file) {
        String path = file.toString().replace('\\', '/');
        return path.endsWith(".java")
                && !path.contains("/target/")
                && (path.contains("/src/test/") || path.contains("baton-tck/src/main/"));
    }

    /**
     * Returns the contract of a part: ClientContractLoss belongs to ClientContract, StoreUndoCases to StoreContract.
     */
    private static String contractOf(Path file) {
        String name = file.getFileName().toString().replace(".java", "");
        return name.startsWith("ClientContract") ? "ClientContract" : name.startsWith("Store") ? "StoreContract" : name;
    }

    @Test
    void page_namesEveryTestThatNamesAPain_andNoOther() throws IOException {
        Map<String, Set<String>> told = toldByThePage();
        Map<String, Set<String>> named = namedByTests();
        assertThat(told).hasSize(65);
        told.forEach((pain, classes) -> assertThat(named.getOrDefault(pain, Set.of()))
                .as("tests that name %s in their display names, and docs/pains.md", pain)
                .containsAll(classes));
        named.forEach((pain, classes) -> assertThat(classes)
                .as("docs/pains.md on %s, and tests that name it", pain)
                .isSubsetOf(told.getOrDefault(pain, Set.of())));
    }
}
