package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every measured figure on the pages was measured: the section of RESULTS.md to which its paragraph links contains it.
 * Counts need no section: a test counts them each time.
 */
class FiguresHouseTest {
    /** Numbers with a decimal point, and numbers followed by a unit. */
    private static final Pattern FIGURE =
            Pattern.compile("(?<![\\w.])(\\d+\\.\\d+|\\d[\\d,]*(?= ?(?:µs|ms|s\\b|%|times|k\\b)))");

    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d[\\d,]*(?:\\.\\d+)?");
    private static final Pattern LINK = Pattern.compile("RESULTS\\.md#([\\w-]+)");
    private static final Pattern CODE =
            Pattern.compile("(?ms)^```.*?^```|^ {4}\\S[^\\n]*|`[^`\\n]*`|\\]\\([^)\\s]*\\)");

    private final Map<String, Set<String>> measured = sections();

    @Test
    void figureOfThePerformancePage_standsInTheResultsThatItsParagraphNames() {
        assertThat(unmeasured(Repository.read(Repository.ROOT.resolve("docs/performance.md"))))
                .as("figures of docs/performance.md that are not in the sections of RESULTS.md to which their paragraph"
                        + " links, as ../baton-bench/RESULTS.md#section: measure them, or leave them out")
                .isEmpty();
    }

    @Test
    void figureOfTheReadme_standsInTheResults() {
        String readme = Repository.read(Repository.ROOT.resolve("README.md"));
        String speed = readme.substring(readme.indexOf("## How fast it is"), readme.indexOf("[All pages]"));
        assertThat(LINK.matcher(speed).find())
                .as("a link to a section of RESULTS.md")
                .isTrue();
        // Join the paragraphs: the table's figures belong to the link above it.
        assertThat(unmeasured(speed.replaceAll("\\n\\s*\\n", "\n")))
                .as("figures of README.md that are not in the sections of RESULTS.md to which it links")
                .isEmpty();
    }

    private List<String> unmeasured(String text) {
        List<String> missing = new ArrayList<>();
        for (String paragraph : text.split("\\n\\s*\\n", -1)) {
            List<String> links = found(LINK, paragraph);
            assertThat(links).as("sections of RESULTS.md").isSubsetOf(measured.keySet());
            Set<String> known =
                    links.stream().flatMap(link -> measured.get(link).stream()).collect(Collectors.toSet());
            found(FIGURE, CODE.matcher(paragraph).replaceAll("")).stream()
                    .filter(figure -> !known.contains(figure))
                    .map(figure ->
                            figure + " in: " + paragraph.lines().findFirst().orElse(""))
                    .forEach(missing::add);
        }
        return missing;
    }

    private static Map<String, Set<String>> sections() {
        Map<String, Set<String>> sections = new HashMap<>();
        String text = Repository.read(Repository.ROOT.resolve("baton-bench/RESULTS.md"));
        Arrays.stream(text.split("(?m)^#+ ", -1)).skip(1).forEach(section -> {
            String title = section.lines().findFirst().orElse("");
            sections.put(anchor(title), Set.copyOf(found(NUMBER, section)));
        });
        return sections;
    }

    /** Returns the anchor that GitHub generates for a heading. */
    private static String anchor(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
    }

    private static List<String> found(Pattern what, String text) {
        return what.matcher(text)
                .results()
                .map((MatchResult each) -> each.groupCount() > 0 ? each.group(1) : each.group())
                .toList();
    }
}
