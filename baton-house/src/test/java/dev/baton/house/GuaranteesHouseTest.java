package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every promise names a test that exists, and so does every case of others that was restated. */
class GuaranteesHouseTest {
    private static final Pattern REFERENCE = Pattern.compile("`(\\w+)(?:#(\\w+))?`");
    private static final Pattern METHOD = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Set<String> TEST_ANNOTATIONS =
            Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "EachMode");

    private final Sources tests = Sources.parse(Sources.testFiles());

    @Test
    void promise_namesTestsThatExist() {
        String text = Repository.read(Repository.ROOT.resolve("docs/guarantees.md"));
        List<List<String>> promises = Markdown.rowsEndingIn("test", text);
        assertThat(promises).as("rows of tables whose last column is `test`").isNotEmpty();
        assertThat(promises.stream().filter(row -> !isShown(Markdown.last(row))))
                .as("promises of docs/guarantees.md whose tests do not exist: write the test, then the promise"
                        + " (`Class` or `Class#method`, several separated by commas)")
                .isEmpty();
    }

    @Test
    void restatedCase_namesTestsThatExist_orSaysWhyThereIsNone() {
        String text = Repository.read(Repository.ROOT.resolve("docs/restated.md"));
        List<List<String>> cases = Markdown.rowsEndingIn("here", text);
        assertThat(cases).as("rows of tables whose last column is `here`").hasSizeGreaterThan(40);
        assertThat(cases.stream().map(Markdown::last).filter(cell -> !isRestated(cell)))
                .as("cells of docs/restated.md that name no test, or one that does not exist, and give no reason")
                .isEmpty();
    }

    private boolean isRestated(String cell) {
        List<MatchResult> named = METHOD.matcher(cell).results().toList();
        return named.stream().allMatch(found -> exists(found.group(1), found.group(2)))
                && (!named.isEmpty() || cell.startsWith("none: ") || cell.startsWith("as `"));
    }

    private boolean isShown(String cell) {
        String rest = REFERENCE.matcher(cell).replaceAll("");
        return rest.length() < cell.length()
                && rest.matches("[, ]*")
                && REFERENCE.matcher(cell).results().allMatch(found -> exists(found.group(1), found.group(2)));
    }

    private boolean exists(String type, String method) {
        return method == null ? tests.has(type) : tests.has(type, method, TEST_ANNOTATIONS);
    }
}
