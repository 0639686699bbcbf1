package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The two halves of the tests, in {@code etc/tests}: CI runs one after the other, and so every test but two. */
class HalvesHouseTest {
    /** Tests that neither half runs: the contracts of clients on stores whose relatives run them. */
    private static final List<Path> BY_NIGHT = List.of(
            Path.of("dev/baton/jdbc/H2ClientContractTest.java"),
            Path.of("dev/baton/examples/store/DirectoryClientContractTest.java"));

    private static final Path SOURCES = Path.of("src", "test", "java");
    private final List<Pattern> first = patterns("not-in-first.txt");
    private final List<Pattern> second = patterns("not-in-second.txt");

    /** One line of a list. */
    private record Pattern(String text, PathMatcher matcher) {
        boolean matches(Path test) {
            return matcher.matches(test);
        }
    }

    private static List<Pattern> patterns(String list) {
        return Repository.read(Repository.ROOT.resolve("etc/tests").resolve(list))
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> new Pattern(line, FileSystems.getDefault().getPathMatcher("glob:" + line)))
                .toList();
    }

    /** Returns the source files of all test classes, below their source folder. */
    private static List<Path> tests() {
        return Repository.files("Test.java").stream()
                .flatMap(HalvesHouseTest::belowSources)
                .toList();
    }

    private static Stream<Path> belowSources(Path file) {
        Path relative = Repository.ROOT.relativize(file);
        for (int i = 0; i + SOURCES.getNameCount() < relative.getNameCount(); i++) {
            if (relative.subpath(i, i + SOURCES.getNameCount()).equals(SOURCES)) {
                return Stream.of(relative.subpath(i + SOURCES.getNameCount(), relative.getNameCount()));
            }
        }
        return Stream.empty();
    }

    private static boolean matchesAny(List<Pattern> patterns, Path test) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(test));
    }

    @Test
    void test_isInAHalf() {
        assertThat(tests()).hasSizeGreaterThan(200);
        assertThat(tests().stream().filter(test -> matchesAny(first, test) && matchesAny(second, test)))
                .as("tests that CI never runs, because both lists in etc/tests have them")
                .containsExactlyInAnyOrderElementsOf(BY_NIGHT);
    }

    @Test
    void pattern_isOfATest() {
        assertThat(Stream.of(first, second)
                        .flatMap(List::stream)
                        .filter(pattern -> tests().stream().noneMatch(pattern::matches))
                        .map(Pattern::text))
                .as("lines of etc/tests that leave out nothing")
                .isEmpty();
    }
}
