package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

@Isolated("replaces the standard output")
class MainTest {
    private static final String COLUMNS = "baton.columns";

    private static List<String> printed(String... args) {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setProperty(COLUMNS, "" + Lines.USUAL_WIDTH); // also where the shell exports another width
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            assertThat(new CommandLine(new Main()).execute(args)).isZero();
        } finally {
            System.setOut(before);
            System.clearProperty(COLUMNS);
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void list_hasEachCode_withWordsBesideIt_inEightyColumns() {
        List<String> lines = printed("--list");
        assertThat(lines).allMatch(line -> line.length() <= Lines.USUAL_WIDTH);
        assertThat(lines.stream().filter(line -> !line.startsWith(" ")).map(line -> line.replaceAll(" .*", "")))
                .containsExactlyElementsOf(Rows.ALL.stream().map(Row::id).toList());
        assertThat(String.join(" ", lines).replaceAll(" +", " "))
                .contains("f.java 1 client, 16 threads, one lock: operations per second against a fair ReentrantLock");
    }

    @Test
    void peer_isFound_byItsLibraryAsWellAsByItsName() {
        assertThat(printed("--list", "--peers", "curator").stream().filter(line -> !line.startsWith(" ")))
                .hasSize(5)
                .allMatch(line -> line.startsWith("j."));
        assertThat(printed("--list", "--peers", "interprocess").stream().filter(line -> !line.startsWith(" ")))
                .hasSize(5);
    }

    @Test
    void jobs_areListed_andChosen_withAndWithoutAFile() {
        assertThat(String.join(" ", printed("--jobs", "--list"))).contains("J1: ", "J8: ");
        assertThat(printed("--jobs", "--only", "j2", "--list").stream().filter(line -> line.startsWith("J")))
                .hasSize(2);
        assertThat(printed("--jobs=table.md", "--only", "J3", "--list").stream().filter(line -> line.startsWith("J")))
                .hasSize(1);
    }

    @Test
    void help_fitsInEightyColumns() {
        assertThat(printed("--help"))
                .allMatch(line -> line.length() <= Lines.USUAL_WIDTH)
                .as("no address is broken")
                .anyMatch(line -> line.contains("redis://127.0.0.1:6379"))
                .anyMatch(line -> line.contains("jdbc:postgresql://127.0.0.1/test?user=me"))
                .anyMatch(line -> line.contains("--jobs[=FILE]"))
                .anyMatch(line -> line.contains("--distance=TIME"));
    }
}
