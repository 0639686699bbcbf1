package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README is short, shows code at once, and contains only code that compiles and facts that hold. */
class ReadmeHouseTest {
    private static final int LINES = 150;
    private static final int FIRST_CODE_LINE = 20;
    private static final Pattern REGION =
            Pattern.compile("(?ms)^ *// tag::([\\w-]+)\\[\\]\\n(.*?)^ *// end::\\1\\[\\]$");
    private static final Pattern TABLE =
            Pattern.compile("(?s)<!-- capabilities:begin -->(.*?)<!-- capabilities:end -->");

    private final String readme = Repository.read(Repository.ROOT.resolve("README.md"));

    @Test
    void readme_isShort() {
        assertThat(readme.lines().count())
                .as("lines of README.md: what does not fit belongs to docs/")
                .isLessThan(LINES);
    }

    @Test
    void readme_showsCodeAtOnce() {
        List<String> lines = readme.lines().toList();
        assertThat(lines.indexOf("```java") + 1)
                .as("the line of README.md with the first Java code: let it come before any history")
                .isBetween(1, FIRST_CODE_LINE - 1);
    }

    @Test
    void javaBlock_isARegionOfAnExample() {
        check("README.md", readme, Repository.mainJava("baton-examples"));
    }

    @Test
    void javaBlockOfTheGuide_isARegionOfItsStore() {
        String guide = "docs/write-a-store.md";
        check(
                guide,
                Repository.read(Repository.ROOT.resolve(guide)),
                Repository.mainJava("baton-examples"),
                Repository.testJava("baton-examples"));
    }

    @Test
    void javaBlockOnCredentials_isARegionOfItsTest() {
        String page = "docs/stores/redis.md";
        List<String> blocks = Markdown.javaBlocks(Repository.read(Repository.ROOT.resolve(page))).stream()
                .filter(block -> block.contains("credentialsProvider"))
                .toList();
        check(page, blocks, Repository.testJava("baton-redis"));
    }

    private static void check(String page, String text, Path... sources) {
        check(page, Markdown.javaBlocks(text), sources);
    }

    private static void check(String page, List<String> blocks, Path... sources) {
        Map<String, String> regions = regions(sources);
        assertThat(blocks).isNotEmpty();
        assertThat(blocks.stream().filter(block -> !regions.containsValue(block)))
                .as(
                        "Java in %s: copy it from between `// tag::name[]` and `// end::name[]` in %s, where it is"
                                + " compiled and tested; there are %s",
                        page, Stream.of(sources).map(Repository::name).toList(), regions.keySet())
                .isEmpty();
    }

    private static Map<String, String> regions(Path... sources) {
        return Stream.of(sources)
                .flatMap(directory -> Repository.javaFiles(directory).stream())
                .map(Repository::read)
                .flatMap(text -> REGION.matcher(text).results())
                .collect(Collectors.toMap(region -> region.group(1), region -> Markdown.code(region.group(2))));
    }

    @Test
    void capabilityTable_isWhatTheStoresSay() {
        List<String> tables = TABLE.matcher(Repository.read(Repository.ROOT.resolve("docs/stores/README.md")))
                .results()
                .map(found -> found.group(1).strip())
                .toList();
        assertThat(tables)
                .as(
                        "put this between the marks `capabilities:begin` and `capabilities:end` of docs/stores/README.md:%n%s",
                        CapabilityTable.text())
                .containsExactly(CapabilityTable.text());
    }
}
