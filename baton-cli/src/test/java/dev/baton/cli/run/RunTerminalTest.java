package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton run} at a terminal. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no bash")
class RunTerminalTest {
    @TempDir
    private Path directory;

    private Runs runs;
    private TerminalShell shell;

    @BeforeEach
    void open() throws Exception {
        runs = Runs.onSqlite(directory);
        shell = TerminalShell.open(directory, runs.store());
    }

    @AfterEach
    void close() {
        shell.close();
        runs.close();
    }

    private void isFree() throws InterruptedException {
        assertThat(runs.run("-n", "--name", "x", "true").exitCode()).isZero();
    }

    @Test
    void controlC_endsTheCommand_andTheScriptAroundIt() throws Exception {
        shell.type("bash -c 'baton run --name x -- sh -c \"echo sta\"\"rted; exec sleep 100\"; echo af\"\"ter'");
        shell.expect("started");
        shell.control('C');
        assertThat(shell.exitCode()).as(shell.shown()).isEqualTo("130");
        shell.hasNotShown("after");
        isFree();
    }

    @Test
    void controlC_isTheCommandsAlone() throws Exception {
        shell.type(
                "baton run --name x -- sh -c 'trap \"echo cau\"\"ght; exit 5\" INT; echo sta\"\"rted; while :; do sleep 0.1; done'");
        shell.expect("started");
        shell.control('C');
        shell.expect("caught");
        assertThat(shell.exitCode()).isEqualTo("5");
        isFree();
    }

    @Test
    void controlZ_stopsTheJob_andFgGoesOn() throws Exception {
        // Until it may go on, it cannot end before the key has arrived.
        shell.type("baton run --name x -- sh -c"
                + " 'echo sta\"\"rted; until [ -e go ]; do sleep 0.1; done; echo fini\"\"shed'");
        shell.expect("started");
        shell.control('Z');
        shell.expect("Stopped");
        shell.expectPrompt();
        Files.writeString(directory.resolve("go"), "");
        Thread.sleep(1_500);
        shell.hasNotShown("finished");
        shell.type("fg");
        shell.expect("finished");
        assertThat(shell.exitCode()).isEqualTo("0");
        isFree();
    }

    @Test
    void commandInAPipe_leavesTheTerminalToItsNeighbour() throws Exception {
        shell.type("baton run --name x -- seq 3 | { cat; read line </dev/tty; echo \"<<$line>>\"; }");
        shell.expect("1\r\n2\r\n3\r\n");
        shell.type("answer");
        shell.expect("<<answer>>");
        assertThat(shell.exitCode()).isEqualTo("0");
    }

    @Test
    void command_readsFromTheTerminal() throws Exception {
        shell.type(
                "baton run --name x -- bash -c 'read -p \"na\"\"me? \" line; echo \"<<$line>>\"; test -t 0 -a -t 1 && echo ter\"\"minal'");
        shell.expect("name? ");
        shell.type("somebody");
        shell.expect("<<somebody>>");
        shell.expect("terminal");
        assertThat(shell.exitCode()).isEqualTo("0");
    }

    @Test
    void waiting_isShown_andControlCEndsIt() throws Exception {
        try (Baton other = runs.client();
                Lease held = other.lock("x").acquire()) {
            shell.type("baton run --name x -- echo sta\"\"rted");
            shell.expect("waiting for 'x', held by ");
            Runs.until(
                    "it is in the queue",
                    () -> other.admin().inspect("x").orElseThrow().waiters().size() == 1);
            shell.control('C');
            assertThat(shell.exitCode()).as(shell.shown()).isEqualTo("130");
            Runs.until(
                    "its place in the queue is gone",
                    () -> other.admin().inspect("x").orElseThrow().waiters().isEmpty());
            shell.type("baton run --name x -- echo sta\"\"rted");
            shell.expect("waiting for 'x', held by ");
            held.release();
            shell.expect("started");
            assertThat(shell.exitCode()).isEqualTo("0");
        }
    }
}
