package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.BatonProcess;
import dev.baton.cli.Strangers;
import dev.baton.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where {@code baton run} locks if no store is named, and which values it rejects as a store. */
class RunStoreTest {
    private static final List<String> AT_A_TERMINAL = List.of("-Dbaton.stderr.tty=true");

    @TempDir
    private Path directory;

    private Path state;
    private Path ran;
    private final List<BatonProcess> processes = new ArrayList<>();

    @BeforeEach
    void name() {
        state = directory.resolve("state");
        ran = directory.resolve("ran");
    }

    @AfterEach
    void close() {
        processes.forEach(BatonProcess::close);
    }

    /** {@code baton run OPTIONS --name x -- touch ran}, with this as the store of the environment. */
    private BatonProcess run(List<String> jvmOptions, String variable, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(options));
        words.addAll(List.of("--name", "x", "--", "touch", ran.toString()));
        Path own = Files.createDirectory(directory.resolve("process" + processes.size()));
        Map<String, String> environment =
                Map.of("BATON_STORE", variable, "XDG_STATE_HOME", state.toString(), "TERM", "xterm");
        BatonProcess process = BatonProcess.start(own, jvmOptions, environment, words.toArray(String[]::new));
        processes.add(process);
        return process;
    }

    private void isRefused(BatonProcess baton) throws InterruptedException {
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(ExitCode.RUN_ITSELF);
        assertThat(baton.err()).startsWith("baton: ").hasLineCount(1);
        assertThat(baton.out()).isEmpty();
        assertThat(ran).doesNotExist();
    }

    /** For example a crontab with an error in the variable's name: each machine would have its own lock. */
    @Test
    void noStore_offATerminal_isRefused_sayingWhatToSet() throws Exception {
        BatonProcess baton = run(List.of(), "");
        isRefused(baton);
        assertThat(baton.err()).contains("BATON_STORE", "--store", "--store local");
        assertThat(state).doesNotExist();
    }

    @Test
    void noStore_atATerminal_locksOnThisMachine_sayingWhere() throws Exception {
        BatonProcess baton = run(AT_A_TERMINAL, "");
        assertThat(baton.exitCode()).as(baton.err()).isZero();
        assertThat(baton.err())
                .hasLineCount(1)
                .startsWith("baton: ")
                .contains(
                        "this machine",
                        state.resolve("baton").resolve("locks.db").toString());
        assertThat(ran).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "local"})
    void localStore_isThisMachines_andNeedsNoWord(String variable) throws Exception {
        BatonProcess baton = variable.isEmpty() ? run(List.of(), "", "--store", "local") : run(List.of(), variable);
        assertThat(baton.exitCode()).as(baton.err()).isZero();
        assertThat(baton.err()).isEmpty();
        assertThat(state.resolve("baton").resolve("locks.db")).exists();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.resolve("baton"))))
                .isEqualTo("rwx------");
        assertThat(ran).exists();
    }

    /** No other process could ever hold such a lock. */
    @ParameterizedTest
    @ValueSource(strings = {"memory:", "MEMORY:", "jdbc:h2:mem:locks", "jdbc:sqlite::memory:"})
    void storeInMemory_isRefused_sayingWhy(String uri) throws Exception {
        BatonProcess baton = run(List.of(), "", "--store", uri);
        isRefused(baton);
        assertThat(baton.err()).contains("--store: ", "in the memory of one process");
    }

    @Test
    void storeInMemory_ofTheEnvironment_isRefusedToo() throws Exception {
        BatonProcess baton = run(AT_A_TERMINAL, "memory:");
        isRefused(baton);
        assertThat(baton.err()).contains("BATON_STORE: ");
    }

    @Test
    void stateDirectory_thatAnotherUserPrepared_isRefused_sayingWhatToDo() throws Exception {
        Path own = Files.createDirectories(state.resolve("baton"));
        Strangers.permit(own, "rwx------");
        assertThat(run(List.of(), "local").exitCode()).isZero();
        Files.delete(ran);
        Strangers.own(own.resolve("locks.db"));
        byte[] before = Files.readAllBytes(own.resolve("locks.db"));
        isRefused(run(List.of(), "local"));
        Strangers.own(own);
        BatonProcess baton = run(AT_A_TERMINAL, "");
        isRefused(baton);
        assertThat(baton.err()).contains(own.toString(), "--store");
        assertThat(before).isEqualTo(read(own.resolve("locks.db")));
    }

    private static byte[] read(Path file) throws IOException {
        return Files.readAllBytes(file);
    }

    @Test
    void relativeStateHome_isIgnored_andSaidSo() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        state = Path.of("here");
        BatonProcess baton = run(List.of("-Duser.home=" + home), "local");
        assertThat(baton.exitCode()).as(baton.err()).isZero();
        assertThat(baton.err()).hasLineCount(1).contains("XDG_STATE_HOME", "\"here\"", "absolute");
        assertThat(home.resolve(".local/state/baton/locks.db")).exists();
        assertThat(Path.of("here")).doesNotExist();
    }
}
