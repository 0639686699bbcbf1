package dev.baton.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of docs/model.md say what the tests check. */
class ModelPageTest {
    private static final List<String> BOUNDS =
            List.of("MaxT", "Lease", "MaxPoll", "MaxAtt", "MaxGrants", "MaxRenew", "FailoverTicks", "GraceLen");

    @Test
    void runs_areThoseOfTheTests() throws IOException {
        check(
                "runs",
                table(
                        "| run | bounds | invariants | distinct states | when |",
                        Runs.complete(),
                        complete -> List.of(
                                "`" + complete.run() + "`",
                                bounds(complete.run()),
                                String.join(", ", complete.run().invariants()),
                                String.format(Locale.ROOT, "%,d", complete.states()),
                                Runs.BY_DAY.contains(complete) ? "each build" : "nightly")));
    }

    @Test
    void mutations_areThoseOfTheTests() throws IOException {
        check(
                "mutations",
                table(
                        "| rule | mutation | of the run | violated | states of the trace |",
                        Runs.MUTATIONS.stream(),
                        mutation -> List.of(
                                mutation.rule(),
                                "`" + mutation.change() + "`",
                                "`" + mutation.whole() + "`",
                                mutation.invariant(),
                                Integer.toString(mutation.trace()))));
    }

    private static String bounds(Run run) {
        return BOUNDS.stream()
                .filter(name -> run.constants().containsKey(name))
                .filter(name -> matters(name, run.constants()))
                .map(name -> name + " " + run.constants().get(name))
                .collect(Collectors.joining(", "));
    }

    private static boolean matters(String bound, Map<String, String> constants) {
        return switch (bound) {
            case "FailoverTicks" -> constants.get("FailoverOn").equals("TRUE");
            case "GraceLen" -> constants.get("GraceOn").equals("TRUE");
            default -> true;
        };
    }

    private static <T> String table(String title, Stream<T> rows, Function<T, List<String>> cells) {
        String rule = title.replaceAll("[^|]+", "---");
        Stream<String> lines = rows.map(row -> "| " + String.join(" | ", cells.apply(row)) + " |");
        return Stream.concat(Stream.of(title, rule), lines).collect(Collectors.joining("\n"));
    }

    private static void check(String name, String expected) throws IOException {
        Pattern between = Pattern.compile("(?s)<!-- " + name + ":begin -->(.*?)<!-- " + name + ":end -->");
        List<String> tables = between.matcher(Files.readString(Path.of("../docs/model.md")))
                .results()
                .map((MatchResult found) -> found.group(1).strip())
                .toList();
        assertThat(tables)
                .as("put this between the marks `%s:begin` and `%s:end` of docs/model.md:%n%s", name, name, expected)
                .containsExactly(expected);
    }
}
