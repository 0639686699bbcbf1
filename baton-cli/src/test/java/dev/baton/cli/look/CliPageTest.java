package dev.baton.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.BatonProcess;
import dev.baton.cli.look.TestLocks.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands behave as docs/cli.md shows. */
class CliPageTest {
    private static final Set<String> COMMANDS = Set.of("ls", "show", "watch", "release", "check", "jobs", "elect");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```console\\n(.*?)^```$");
    private static final Pattern EXIT_CODE = Pattern.compile("(?m)^\\$\\? (\\d+)\\n");

    @TempDir
    Path directory;

    /** A command, its output, and its exit code. */
    private record Example(List<String> arguments, String said, int exitCode) {}

    @Test
    void example_saysWhatThePageShows() throws Exception {
        List<Example> examples = examples();
        assertThat(examples.stream().map(example -> example.arguments().get(0))).containsAll(COMMANDS);
        try (TestLocks locks = new TestLocks(Place.SQLITE, directory)) {
            locks.hold("shop", "stock:sku-42");
            locks.queue("next", "stock:sku-42");
            locks.hold("shop", "stock:sku-43");
            locks.client("nightly-report").job("nightly-report").run(Instant.ofEpochSecond(1_700_000_000), run -> {});
            locks.lead("mailer", "mailer", "web-1:8080");
            for (Example example : examples) {
                BatonProcess baton = start(locks, example);
                assertThat(baton.exitCode()).as("%s: %s", example, baton.err()).isEqualTo(example.exitCode());
                String said = baton.out().isEmpty() && !example.said().isEmpty() ? baton.err() : baton.out();
                assertThat(shape(said)).as("%s", example.arguments()).isEqualTo(shape(example.said()));
            }
        }
    }

    private static BatonProcess start(TestLocks locks, Example example) {
        boolean namesItsStore = example.arguments().stream().anyMatch(argument -> argument.contains("://"));
        String[] arguments = example.arguments().toArray(String[]::new);
        return namesItsStore ? locks.startWithoutStore(arguments) : locks.start(arguments);
    }

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(page()));
        while (blocks.find()) {
            String block = blocks.group(1);
            String command = block.lines().findFirst().orElseThrow();
            List<String> words = Arrays.asList(command.split(" "));
            assertThat(words.subList(0, 2)).containsExactly("$", "baton");
            if (COMMANDS.contains(words.get(2))) {
                String rest = block.substring(command.length() + 1);
                Matcher code = EXIT_CODE.matcher(rest);
                int exitCode = code.find() ? Integer.parseInt(code.group(1)) : 0;
                examples.add(new Example(
                        words.subList(2, words.size()), EXIT_CODE.matcher(rest).replaceAll(""), exitCode));
            }
        }
        return examples;
    }

    private static Path page() {
        Path module = Path.of("").toAbsolutePath();
        return (Files.exists(module.resolve("docs")) ? module : module.getParent()).resolve("docs/cli.md");
    }

    /**
     * Returns the text without the parts that differ by machine or moment: host names, numbers, paths, column widths.
     */
    private static String shape(String text) {
        return text.replaceAll("on \\S+ pid", "on HOST pid")
                .replaceAll(" thread \\S+", "")
                .replaceAll("(?m)^client +[0-9a-f]{32}$", "client ID")
                .replaceAll("(?m)^  file .*$", "  file FILE")
                .replaceAll("\\d+(\\.\\d+)*(T[\\d:]+Z)?", "0")
                .replaceAll("0-0-0", "0")
                .replaceAll("\\b0ms\\b", "0s") // a busy machine takes seconds
                .replaceAll(" {2,}", " ");
    }
}
