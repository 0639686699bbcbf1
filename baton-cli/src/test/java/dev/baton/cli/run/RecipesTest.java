package dev.baton.cli.run;

import static dev.baton.cli.TestClients.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.cli.BatonProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every example of the page's section on recipes unchanged. The programs in them are replaced by ones that record
 * the call.
 */
class RecipesTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");
    private static final String TOOLS = "nightly-report flyway backup-orders curl";

    @TempDir
    private Path directory;

    private Path bin;
    private Path calls;
    private String store;

    @BeforeEach
    void makeTools() throws IOException {
        store = "jdbc:sqlite:" + directory.resolve("locks.db");
        bin = Files.createDirectory(directory.resolve("bin"));
        calls = directory.resolve("calls");
        BatonProcess.install(bin, directory, List.of());
        for (String tool : TOOLS.split(" ")) {
            BatonProcess.program(bin, tool, "echo \"$BATON_NAME:" + tool + " $*\" >>'" + calls + "'");
        }
    }

    /** Returns the only block of a language that contains this text. */
    private static String block(String language, String containing) throws IOException {
        String recipes = Files.readString(PAGE).split("\n## Recipes\n", -1)[1].split("\n## ", -1)[0];
        List<String> blocks = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(recipes)
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains(containing))
                .toList();
        assertThat(blocks).as("blocks of " + language + " with " + containing).hasSize(1);
        return blocks.get(0);
    }

    private int shell(String script, String... environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).directory(directory.toFile());
        builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("shown").toFile());
        builder.environment().put("PATH", bin + File.pathSeparator + System.getenv("PATH"));
        builder.environment().put("BATON_STORE", store);
        for (String each : environment) {
            builder.environment().put(each.split("=", 2)[0], each.split("=", 2)[1]);
        }
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private List<String> calls() throws IOException {
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    private String shown() throws IOException {
        return Files.readString(directory.resolve("shown"));
    }

    @Test
    void cron_runsTheJobOnOneOfManyMachines() throws Exception {
        List<String> lines = block("crontab", "nightly-report").lines().toList();
        Path file = Files.writeString(
                directory.resolve("store"), block("text", "redis://").replaceAll("redis:.*", store));
        assertThat(lines.subList(0, 2))
                .containsExactly("PATH=/usr/local/bin:/usr/bin:/bin", "BATON_STORE=@/etc/baton/store");
        // Cron removes the five time fields. On a busy machine the last command may begin many seconds after the first.
        String command = lines.get(2).split(" ", 6)[5];
        List<Thread> machines = new ArrayList<>();
        List<Integer> exitCodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread machine = new Thread(() -> {
                try {
                    int exitCode = shell(command, "BATON_STORE=@" + file);
                    synchronized (exitCodes) {
                        exitCodes.add(exitCode);
                    }
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            machine.start();
            machines.add(machine);
        }
        for (Thread machine : machines) {
            machine.join();
        }
        assertThat(exitCodes).containsExactly(0, 0, 0);
        assertThat(calls()).containsExactly("nightly-report:nightly-report --all");
    }

    @Test
    void migration_runsUnderItsLock() throws Exception {
        assertThat(shell(block("sh", "flyway"))).as(shown()).isZero();
        assertThat(calls()).containsExactly("orders-migration:flyway migrate");
    }

    @Test
    void backup_thatStillRuns_isNotAFault_butAFaultIs() throws Exception {
        String backup = block("sh", "backup-orders");
        assertThat(shell(backup)).as(shown()).isZero();
        assertThat(calls()).containsExactly("backup:orders:backup-orders /srv/orders /backup");
        try (Baton other = Baton.connect(store, PATIENT);
                Lease held = other.lock("backup:orders").acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(shell(backup)).isZero();
            assertThat(shown()).isEqualTo("the last backup still runs\n");
        }
        BatonProcess.program(bin, "backup-orders", "exit 3");
        assertThat(shell(backup)).isEqualTo(3);
        assertThat(calls()).hasSize(1);
    }

    @Test
    void token_goesAlongWithTheWrite() throws Exception {
        assertThat(shell(block("sh", "Fencing-Token"))).as(shown()).isZero();
        assertThat(calls()).singleElement().asString().matches("publish:curl --fail .*Fencing-Token: [0-9]{12,} .*");
    }

    @Test
    void kubernetesJob_hasACommandThatRuns() throws Exception {
        String job = block("yaml", "CronJob");
        MatchResult command = Pattern.compile("command: (\\[.*])")
                .matcher(job)
                .results()
                .findFirst()
                .orElseThrow();
        List<Object> words = JSON.std.listFrom(command.group(1));
        String line = words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        assertThat(shell(line)).as(shown()).isZero();
        assertThat(calls()).containsExactly("report:nightly-report --all");
        assertThat(job).contains("BATON_STORE");
    }

    @Test
    void everyExample_isRunHere() throws IOException {
        String recipes = Files.readString(PAGE).split("\n## Recipes\n", -1)[1].split("\n## ", -1)[0];
        Map<String, Long> blocks = Pattern.compile("```(\\w+)\n")
                .matcher(recipes)
                .results()
                .collect(Collectors.groupingBy(block -> block.group(1), Collectors.counting()));
        assertThat(blocks).isEqualTo(Map.of("crontab", 1L, "text", 1L, "sh", 3L, "yaml", 1L));
    }
}
