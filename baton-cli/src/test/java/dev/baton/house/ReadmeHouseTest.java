package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README is short, shows code at once, and shows only what compiles and what is so. */
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
        Map<String, String> regions = regions();
        List<String> blocks = Markdown.javaBlocks(readme);
        assertThat(blocks).isNotEmpty();
        assertThat(blocks.stream().filter(block -> !regions.containsValue(block)))
                .as(
                        "Java in README.md: copy it from between `// tag::name[]` and `// end::name[]` in"
                                + " baton-examples, where it is compiled and tested; there are %s",
                        regions.keySet())
                .isEmpty();
    }

    private static Map<String, String> regions() {
        return Repository.javaFiles(Repository.mainJava("baton-examples")).stream()
                .map(Repository::read)
                .flatMap(text -> REGION.matcher(text).results())
                .collect(Collectors.toMap(region -> region.group(1), region -> Markdown.code(region.group(2))));
    }

    @Test
    void capabilityTable_isWhatTheStoresSay() {
        List<String> tables = TABLE.matcher(readme)
                .results()
                .map(found -> found.group(1).strip())
                .toList();
        assertThat(tables)
                .as(
                        "put this between the marks `capabilities:begin` and `capabilities:end` of README.md:%n%s",
                        CapabilityTable.text())
                .containsExactly(CapabilityTable.text());
    }
}
