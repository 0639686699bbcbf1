package dev.baton.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import dev.baton.demo.Round;
import dev.baton.demo.Rounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo from end to end: small, in separate processes. */
class DemoTest {
    private static final String[] SMALL = {"--processes", "2", "--threads", "2", "--stock", "60"};

    @TempDir
    Path directory;

    @Test
    void json_isAllThereIs_andEachLockEndsAsAnnounced() throws Exception {
        try (BatonProcess baton = demo(List.of(), Map.of(), "--json")) {
            assertThat(baton.exitCode()).as(baton.err()).isZero();
            assertThat(baton.out()).hasLineCount(1);
            Map<String, Object> json = JSON.std.mapFrom(baton.out());
            assertThat(json)
                    .containsEntry("ok", true)
                    .containsEntry("exitCode", 0)
                    .containsEntry("stock", 60);
            Map<String, Map<String, Object>> locks = byName(json);
            assertThat(locks.keySet())
                    .containsExactlyElementsOf(
                            Rounds.ALL.stream().map(Round::name).toList());
            for (String name :
                    List.of("none", "check-then-set", "delete-by-anyone", "compare-then-delete", "expiry-only")) {
                assertThat(locks.get(name)).containsEntry("fault", "oversold").containsEntry("stuck", false);
                assertThat((int) locks.get(name).get("oversold")).as(name).isPositive();
            }
            assertThat(locks.get("no-expiry")).containsEntry("fault", "stuck").containsEntry("oversold", 0);
            assertSafe(locks.get("baton"));
            assertThat(baton.leftFiles()).isEmpty();
        }
    }

    @Test
    void baton_onAStoreOfOnesOwn_leavesItBehind() throws Exception {
        Path store = directory.resolve("own.db");
        try (BatonProcess baton =
                demo(List.of(), Map.of(), "--json", "--lock", "baton", "--store", "jdbc:sqlite:" + store)) {
            assertThat(baton.exitCode()).as(baton.err()).isZero();
            assertSafe(byName(JSON.std.mapFrom(baton.out())).get("baton"));
            assertThat(store).exists();
            assertThat(baton.leftFiles()).isEmpty();
        }
    }

    @Test
    void output_thatIsNoTerminal_hasNoEscapes() throws Exception {
        try (BatonProcess baton = demo(List.of(), Map.of(), "--lock", "expiry-only")) {
            assertThat(baton.exitCode()).as(baton.err()).isZero();
            assertThat(baton.out())
                    .contains("offs/s", "Each broken lock failed")
                    .doesNotContain("\u001b", "\r");
            assertThat(baton.err()).isEmpty();
        }
    }

    @Test
    void terminal_withNoColor_isRewrittenButNotColoured() throws Exception {
        List<String> terminal = List.of("-Dbaton.stdout.tty=true", "-Dbaton.columns=70");
        Map<String, String> environment = Map.of("NO_COLOR", "1", "TERM", "xterm");
        try (BatonProcess baton = demo(terminal, environment, "--lock", "expiry-only")) {
            assertThat(baton.exitCode()).as(baton.err()).isZero();
            assertThat(baton.out()).contains("\r", "\u001b[K").doesNotContainPattern("\u001b\\[\\d+m");
        }
    }

    @Test
    void killedParent_takesItsChildrenWithIt() throws Exception {
        // Its sale stands still for seconds before it ends: this test may look late.
        try (BatonProcess baton = demo(List.of(), Map.of(), "--lock", "no-expiry")) {
            await(() -> baton.children().size() >= 2);
            List<ProcessHandle> children = baton.children();
            baton.kill();
            await(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void interrupt_endsChildrenAndRemovesFiles() throws Exception {
        // If a script starts a process in the background, it ignores Ctrl-C, and so do its children. This is correct.
        signal("INT", BatonProcess.ignores("INT") ? ExitCode.OK : ExitCode.INTERRUPTED);
    }

    @Test
    void termination_endsChildrenAndRemovesFiles() throws Exception {
        signal("TERM", 128 + 15);
    }

    private void signal(String name, int exitCode) throws Exception {
        try (BatonProcess baton = demo(List.of(), Map.of(), "--lock", "no-expiry")) {
            await(() -> baton.children().size() >= 2);
            List<ProcessHandle> children = baton.children();
            baton.signal(name);
            assertThat(baton.exitCode()).isEqualTo(exitCode);
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(baton.leftFiles()).isEmpty();
            assertThat(baton.err()).isEmpty();
        }
    }

    private BatonProcess demo(List<String> jvmOptions, Map<String, String> environment, String... more) {
        String[] arguments = new String[1 + SMALL.length + more.length];
        arguments[0] = "demo";
        System.arraycopy(SMALL, 0, arguments, 1, SMALL.length);
        System.arraycopy(more, 0, arguments, 1 + SMALL.length, more.length);
        return BatonProcess.start(directory, jvmOptions, environment, arguments);
    }

    private static void assertSafe(Map<String, Object> baton) {
        assertThat(baton)
                .containsEntry("sold", 60)
                .containsEntry("oversold", 0)
                .containsEntry("stuck", false)
                .containsEntry("tokensInOrder", true)
                .containsEntry("stoppedHolderKnew", true)
                .containsEntry("fault", "none");
        assertThat((int) baton.get("staleRefused")).isPositive();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> byName(Map<String, Object> json) {
        return ((List<Map<String, Object>>) json.get("locks"))
                .stream()
                        .collect(Collectors.toMap(
                                row -> (String) row.get("lock"),
                                row -> row,
                                (a, b) -> a,
                                java.util.LinkedHashMap::new));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start)
                    .isLessThan(Duration.ofSeconds(60).toNanos());
            Thread.sleep(20);
        }
    }
}
