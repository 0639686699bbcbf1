package dev.baton.cli.run;

import static dev.baton.cli.TestClients.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The output on a terminal of 80 columns: the holder, since when and for how long, in lines that fit. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no bash")
class NarrowTerminalTest {
    private static final int COLUMNS = 80;
    private static final String LONG = "orders:eu-central-1:warehouse-17:replenishment:2026-11-22";
    private static final String PID = "pid " + ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    private final List<Object> kept = new ArrayList<>();
    private final List<Baton> clients = new ArrayList<>();
    private String store;
    private TerminalShell shell;

    @BeforeEach
    void open() throws Exception {
        store = "jdbc:sqlite:" + directory.resolve("locks.db");
        kept.add(client("nightly-report").lock("report").acquire());
        kept.add(client("replenishment-of-the-warehouse-17").lock(LONG).acquire());
        Baton next = client("next");
        kept.add(next.lock("report").acquireAsync());
        Runs.until(
                "it queues",
                () -> next.admin().inspect("report").orElseThrow().waiters().size() == 1);
        shell = TerminalShell.open(directory, store, COLUMNS);
    }

    @AfterEach
    void close() {
        shell.close();
        clients.forEach(Baton::close);
    }

    private Baton client(String application) {
        Baton client = Baton.connect(
                store, PATIENT.toBuilder().applicationName(application).build());
        clients.add(client);
        return client;
    }

    /**
     * Types a command, and returns the lines that it leaves on the screen. Asserts that no line is wider than the
     * terminal.
     */
    private List<String> left(String command, int exitCode) throws Exception {
        int before = shell.shown().length();
        shell.type(command);
        assertThat(shell.exitCode()).as(shell.shown()).isEqualTo(Integer.toString(exitCode));
        String shown = shell.shown().substring(before);
        String text = shown.substring(shown.indexOf('\n') + 1, shown.indexOf("ready ", shown.indexOf('\n')));
        assertThat(text.split("[\r\n]+"))
                .allMatch(line -> plain(line).length() <= COLUMNS, "fits in " + COLUMNS + " columns");
        List<String> lines = Stream.of(text.split("\r?\n"))
                .map(line -> plain(line.substring(line.lastIndexOf('\r') + 1)))
                .filter(line -> !line.isEmpty())
                .toList();
        note(command, lines);
        return lines;
    }

    /** Removes colours and cursor movements. */
    private static String plain(String line) {
        return line.replaceAll("\u001b\\[[?0-9;]*[A-Za-z]", "");
    }

    /** Writes the screens to the file of {@code -Dbaton.screens=FILE}. */
    private static void note(String command, List<String> lines) throws Exception {
        String file = System.getProperty("baton.screens", "");
        if (!file.isEmpty()) {
            String old = Files.exists(Path.of(file)) ? Files.readString(Path.of(file)) : "";
            Files.writeString(Path.of(file), old + "$ " + command + '\n' + String.join("\n", lines) + "\n\n");
        }
    }

    @Test
    void ls_andWatch_haveALineForEachLock() throws Exception {
        List<String> ls = left("baton ls", 0);
        assertThat(ls.get(0)).matches("NAME +TOKEN +HELD +LEFT +QUEUE +HOLDER");
        assertThat(ls).hasSize(3);
        assertThat(ls.get(1)).matches("orders:.*\\.\\.\\..* +\\d{15} +\\d+s +\\d+s +0  replen.*\\.\\.\\..*" + PID);
        assertThat(ls.get(2)).matches("report +\\d{15} +\\d+s +\\d+s +1  night.*" + PID);
        List<String> watch = left("baton watch --count 1 rep", 0);
        assertThat(watch.get(watch.size() - 1)).matches("report +\\d{15} +\\d+s +\\d+s +1  nightly-report on .*" + PID);
    }

    @Test
    void show_saysWho_sinceWhen_andForHowLong() throws Exception {
        assertThat(String.join("\n", left("baton show report", 0)))
                .containsPattern("(?m)^holder +nightly-report on \\S+ " + PID + "$")
                .containsPattern("(?m)^since +\\S+Z, \\d+s ago$")
                .containsPattern("(?m)^remaining +\\d+s, unless it is renewed$")
                .containsPattern("(?m)^  1 +next on \\S+ " + PID + ", for \\d+s$");
    }

    @Test
    void run_thatGivesUp_saysWho_sinceWhen_andForHowLong() throws Exception {
        for (String wait : List.of("--no-wait", "--wait 1.5s")) {
            List<String> said = left("baton run " + wait + " --name report -- true", 124);
            assertThat(said.get(0)).matches("baton: somebody else has 'report'( after [\\d.]+s)?: nothing was started");
            assertThat(said.get(1)).matches("baton: held by nightly-report on \\S+ " + PID);
            assertThat(said.get(2)).matches("baton: since \\S+Z, for \\d+s; if not renewed, for another \\d+s");
            assertThat(said).hasSize(3);
        }
    }

    /** The terminal rewrites one line: long names are cut, but not the holder or the time. */
    @Test
    void waitingLine_saysWho_andForHowLong() throws Exception {
        // The line comes after 300 ms, on a busy machine later.
        left("baton run --wait 5s --name " + LONG + " -- true", 124);
        assertThat(shell.shown())
                .containsPattern(
                        "waiting for 'orders:\\S+\\.\\.\\.\\S+', held by rep\\S*\\.\\.\\..*" + PID + " for \\d+s");
    }

    @Test
    void check_breaksItsLinesBetweenWords() throws Exception {
        List<String> check = left("baton check", 0);
        assertThat(check.get(check.size() - 1)).isEqualTo("Fit for locks.");
        assertThat(String.join(" ", check).replaceAll(" +", " "))
                .contains("(for information: leases go by the store's clock alone)");
    }
}
